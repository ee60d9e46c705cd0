// The client of the handshake era: @modelcontextprotocol/sdk 1.x.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { play, server } from './session.mjs';

const client = new Client({ name: 'handrail-tests', version: '1' });
const transport = new StdioClientTransport(server());
let agreed;
transport.setProtocolVersion = version => { agreed = version; };
await client.connect(transport);
await play(client, () => agreed);

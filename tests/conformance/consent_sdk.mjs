// Consent in the handshake's era: @modelcontextprotocol/sdk 1.x answers requests of the server.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { capabilities, person, play } from './consent_session.mjs';
import { server } from './session.mjs';

const seen = [];
const client = new Client({ name: 'handrail-tests', version: '1' }, { capabilities });
client.setRequestHandler(ElicitRequestSchema, person(seen));
await client.connect(new StdioClientTransport(server()));
await play(client, seen);

// The client of the stateless era: @modelcontextprotocol/client 2.x. HANDRAIL_MODE: legacy, auto or a revision to pin.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { play, server } from './session.mjs';

const mode = process.env.HANDRAIL_MODE;
const client = new Client({ name: 'handrail-tests', version: '1' },
  { versionNegotiation: { mode: /^\d/.test(mode) ? { pin: mode } : mode } });
await client.connect(new StdioClientTransport(server()));
await play(client, () => client.getNegotiatedProtocolVersion());

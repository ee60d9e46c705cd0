// Consent in the stateless era: @modelcontextprotocol/client 2.x repeats the call with the answer.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { capabilities, person, play } from './consent_session.mjs';
import { server } from './session.mjs';

const seen = [];
const client = new Client({ name: 'handrail-tests', version: '1' },
  { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
client.setRequestHandler('elicitation/create', person(seen));
await client.connect(new StdioClientTransport(server()));
await play(client, seen);

import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Complaint, runCommand } from '../command-line.ts';
import { createServer, prepareTools } from './serve.ts';
import { buildTools } from './tools.ts';

const usage = `Serves tools to an agent over standard input and output, by the Model Context Protocol.

  TESSERA_URL=http://localhost:3000 TESSERA_APP_ID=... TESSERA_APP_TOKEN=... npm run mcp --silent
  TESSERA_URL=https://api.shop.example TESSERA_TOKEN=... npm run mcp --silent -- --act
`;

const options = { act: { type: 'boolean', words: 'adds the tools that change data' } } as const;

const notes = `TESSERA_URL is the address of the API. TESSERA_TOKEN is a bearer token, whose scopes limit the agent.
Without it, TESSERA_APP_ID and TESSERA_APP_TOKEN are an app key, which may do everything in its project.
`;

function readCredentials({
  TESSERA_TOKEN,
  TESSERA_APP_ID,
  TESSERA_APP_TOKEN,
}: NodeJS.ProcessEnv): Record<string, string> {
  if (TESSERA_TOKEN) return { authorization: `Bearer ${TESSERA_TOKEN}` };
  if (TESSERA_APP_ID && TESSERA_APP_TOKEN) return { 'x-app-id': TESSERA_APP_ID, 'x-app-token': TESSERA_APP_TOKEN };
  throw new Complaint('TESSERA_TOKEN is missing, and so is TESSERA_APP_ID or TESSERA_APP_TOKEN.');
}

await runCommand({ usage, options, notes }, async ({ values }) => {
  const { TESSERA_URL: url } = process.env;
  if (!url || !URL.canParse(url)) throw new Complaint('TESSERA_URL must be the address of the API.');
  const headers = readCredentials(process.env);
  const prepared = prepareTools(buildTools(), { acts: values.act ?? false });
  serveStdio(() => createServer(prepared, { url: url.replace(/\/$/, ''), headers, fetch }));
  return '';
});

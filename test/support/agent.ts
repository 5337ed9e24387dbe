import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcp } from '../../infra/mcp/handler.ts';
import { buildTools } from '../../infra/mcp/tools.ts';

const tools = buildTools();
const address = 'https://api.shop.example/mcp';
const credentials = { authorization: 'Bearer a-token' };

interface Called {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
}

/** Connects the official client to the tools, before an API that answers every call with this reply. */
export async function connectAgent(reply: () => Response, { acts = true } = {}) {
  const called: Called[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    called.push({ method: init?.method ?? 'GET', url: String(url), body: init?.body?.toString() });
    return reply();
  };
  const answer = createMcp({ tools, acts, apiUrlOf: () => 'https://api.shop.example', fetch });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(address), {
      requestInit: { headers: credentials },
      fetch: (url, init) => answer(new Request(url, init)),
    }),
  );
  /** Sends the text of a message, because a client may refuse to write such a message. */
  const post = async (text: string) => {
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const got = await answer(
      new Request(address, { method: 'POST', headers: { ...credentials, ...json }, body: text }),
    );
    return { status: got.status, text: await got.text() };
  };
  const call = async (name: string, sent: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: sent });
    const [first] = Array.isArray(content) ? content : [];
    return { isError, text: first?.type === 'text' ? String(first.text) : '' };
  };
  return { client, call, called, post };
}

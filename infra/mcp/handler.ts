import { createMcpHandler } from '@modelcontextprotocol/server';
import { distributionHeaders } from '#kernel/http/distribution.ts';
import type { Api } from './call-tool.ts';
import { createServer, prepareTools } from './serve.ts';
import type { Tool } from './tool.ts';

/** The headers with which callers of the API name themselves. They are forwarded to the API, which checks them. */
const credentialHeaders = ['authorization', 'x-app-id', 'x-app-token', ...Object.values(distributionHeaders)];

function credentialsIn({ headers }: Request): Record<string, string> {
  const sent = credentialHeaders.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(sent);
}

function refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  const error = { jsonrpc: '2.0', id: null, error: { code: -32_000, message } };
  return Response.json(error, { status, headers });
}

/** Refuses pages of other origins, whose browser might call with an address of this machine. */
function findOriginFault(request: Request): string | undefined {
  const origin = request.headers.get('origin');
  if (origin === null || origin === new URL(request.url).origin) return undefined;
  return 'this address refuses calls of pages: call it from a program';
}

export interface McpOptions {
  readonly tools: readonly Tool[];
  /** Lets agents call tools that change data. */
  readonly acts: boolean;
  /** Returns the address of the API that a request uses. */
  readonly apiUrlOf: (request: Request) => string;
  readonly fetch: Api['fetch'];
}

/** Answers requests of the Model Context Protocol. It keeps nothing between requests, so any container can answer any of them. */
export function createMcp({ tools, acts, apiUrlOf, fetch }: McpOptions): (request: Request) => Promise<Response> {
  const prepared = prepareTools(tools, { acts });
  return async (request) => {
    const fault = findOriginFault(request);
    if (fault !== undefined) return refuse(403, fault);
    const headers = credentialsIn(request);
    if (headers.authorization === undefined && headers['x-app-token'] === undefined) {
      return refuse(401, 'send a bearer token, or X-App-Id and X-App-Token', { 'www-authenticate': 'Bearer' });
    }
    const api: Api = { url: apiUrlOf(request), headers, fetch };
    // Nothing changes that an agent could subscribe to, and a function can't keep a stream open.
    const handler = createMcpHandler(() => createServer(prepared, api), { maxSubscriptions: 0, keepAliveMs: 0 });
    try {
      return await handler.fetch(request);
    } finally {
      await handler.close();
    }
  };
}

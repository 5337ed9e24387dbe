import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves replies that a test writes, as a service elsewhere. */

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Given {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly text?: string;
  /** Breaks the connection after the text. */
  readonly cutOff?: boolean;
}

export async function serveReplies(answer: (asked: Asked, number: number) => Given | Promise<Given>) {
  const asked: Asked[] = [];
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://local');
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const one = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: Buffer.concat(pieces).toString(),
    };
    asked.push(one);
    const { status = 200, headers = {}, json, text = JSON.stringify(json), cutOff } = await answer(one, asked.length);
    const length = Buffer.byteLength(text);
    response.writeHead(status, { 'content-length': String(cutOff ? length + 1 : length), ...headers });
    response.write(text, () => (cutOff ? response.destroy() : response.end()));
  }
  const server = createServer((request, response) => {
    reply(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, asked, close };
}

/** A clock whose waits pass immediately. */
export function timeless(start = 0) {
  let now = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    wait: async (ms: number) => {
      waits.push(ms);
      now += ms;
    },
  };
}

import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface Sent {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | undefined;
  agent?: Agent | false;
}

/** Sends the path unchanged; `fetch` would normalize it. */
export async function send(baseUrl: string, path: string, { body, ...options }: Sent = {}): Promise<Received> {
  const { hostname, port } = new URL(baseUrl);
  const sent = request({ hostname, port, path, ...options });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

export function socketTo(baseUrl: string, options: { allowHalfOpen?: boolean } = {}): Socket {
  const { hostname, port } = new URL(baseUrl);
  return connect({ port: Number(port), host: hostname, ...options });
}

/** Sends raw bytes, and returns everything until the server ends the connection. */
export async function exchange(
  baseUrl: string,
  sent: string | ((socket: Socket) => void | Promise<void>),
): Promise<string> {
  const socket = socketTo(baseUrl, { allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A server that has cut a caller off resets the connection if more bytes arrive.
  socket.on('error', () => {});
  const over = new Promise<void>((resolve) => {
    socket.once('end', resolve);
    socket.once('close', () => resolve());
  });
  await once(socket, 'connect');
  if (typeof sent === 'string') socket.write(sent);
  else await sent(socket);
  await over;
  socket.destroy();
  return Buffer.concat(chunks).toString('latin1');
}

export const statusesIn = (answer: string) =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Writes a request as the bytes of HTTP. */
export function requestText(line: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

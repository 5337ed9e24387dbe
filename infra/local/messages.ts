import { once } from 'node:events';
import { type IncomingMessage, maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ServiceError } from '#kernel/core/errors.ts';

/** Limits a request's body, as an HTTP API does. */
export const gatewayBodyLimitInBytes = 10 * 1024 * 1024;
/** Lets a caller finish sending a refused body, so that it reads the refusal. */
const lingerInMs = 2_000;

export function announcesTooMuch({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > gatewayBodyLimitInBytes;
}

/** Reads the whole body. Returns undefined for a body above the gateway's limit. */
export function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    if (announcesTooMuch(request)) return resolve(undefined);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > gatewayBodyLimitInBytes) {
        chunks.length = 0;
        resolve(undefined);
      } else {
        chunks.push(chunk);
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the caller closed the connection')));
  });
}

export function write(response: ServerResponse, reply: APIGatewayProxyStructuredResultV2): void {
  const body = Buffer.from(reply.body ?? '', reply.isBase64Encoded ? 'base64' : 'utf8');
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, String(value));
  if (reply.cookies) response.setHeader('Set-Cookie', reply.cookies);
  response.statusCode = reply.statusCode ?? 200;
  if (response.statusCode !== 204) response.setHeader('Content-Length', body.length);
  response.write(body);
}

/** Reads the rest of a refused body. A connection that closes on unread bytes is reset, and the refusal is lost. */
export async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  await discardRestOf(request);
}

async function discardRestOf(stream: Readable): Promise<void> {
  const late = setTimeout(() => stream.destroy(), lingerInMs);
  stream.resume();
  await once(stream, 'close').catch(() => {});
  clearTimeout(late);
}

type Reply = APIGatewayProxyStructuredResultV2;

/** Maps faults of node:http to statuses. All other unreadable requests get 400. */
const statusByFault: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/** Writes a reply to a connection without a readable request. */
function writeRaw(status: number, { headers = {}, body = '' }: Reply = {}): string {
  const lines = Object.entries({
    ...headers,
    ...(body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) }),
    Connection: 'close',
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}

/**
 * Refuses bytes that are not a request, and ends the connection. A request that is too long gets the error body,
 * although node:http reads neither its path nor its headers. Other replies stay those that node:http sends, without a
 * body.
 */
export function refuseUnread(fault: Error & { code?: string }, socket: Duplex, refuse: (error: ServiceError) => Reply) {
  // node:http reports each further piece as a separate fault.
  if (socket.writableEnded) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  if (fault.code !== 'HPE_HEADER_OVERFLOW') {
    socket.end(writeRaw(statusByFault[fault.code ?? ''] ?? 400), () => socket.destroy());
    return;
  }
  const details = `the request line and the headers must have at most ${maxHeaderSize} bytes together: shorten the query or send fewer headers`;
  socket.end(writeRaw(431, refuse(new ServiceError('request_header_fields_too_large', { details }))));
  void discardRestOf(socket);
}

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** The longest body of a request that an HTTP API takes. */
export const gatewayBodyLimitInBytes = 10 * 1024 * 1024;
/** How long a caller may go on sending a refused body, so that it reads the refusal. */
const lingerInMs = 2_000;

export function announcesTooMuch({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > gatewayBodyLimitInBytes;
}

/** The whole body; undefined as soon as it is more than the gateway takes. */
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
    request.once('close', () => reject(new Error('the caller went away')));
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

/** Reads the rest of a refused body away: a connection closed on unread bytes is reset, and the refusal lost. */
export async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  const late = setTimeout(() => request.destroy(), lingerInMs);
  request.resume();
  await once(request, 'close').catch(() => {});
  clearTimeout(late);
}

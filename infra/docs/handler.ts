import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ServiceError } from '../../lib/errors.ts';
import { errorReply } from '../../lib/http/reply.ts';

/** The document, and the page on which it is read and tried. No credentials, no table: they tell what this repository tells. */
export const docsPaths = ['/openapi.json', '/docs', '/docs/{file}'] as const;

/** By name; gzipped, since the gateway compresses nothing. */
export type DocsFiles = ReadonlyMap<string, Buffer>;

export const documentFile = 'openapi.json';
export const pageFile = 'index.html';

const types: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
};

/**
 * The page loads and calls nothing but where it came from, and stands in no frame of others, who could have it clicked.
 * Swagger UI writes styles into its elements, and its pictures stand in its style sheet.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
};

function fileAt(path: string): string {
  if (path === '/openapi.json') return documentFile;
  return path === '/docs' ? pageFile : path.replace('/docs/', '');
}

function answer(files: DocsFiles, event: APIGatewayProxyEventV2): APIGatewayProxyStructuredResultV2 {
  if (event.requestContext.http.method !== 'GET') {
    throw new ServiceError('method_not_allowed', { details: 'this path takes GET', headers: { Allow: 'GET' } });
  }
  const name = fileAt(event.rawPath);
  const gzipped = files.get(name);
  if (!gzipped) throw new ServiceError('not_found', { details: 'no operation has this path' });
  const takesGzip = /\bgzip\b/.test(event.headers['accept-encoding'] ?? '');
  return {
    statusCode: 200,
    headers: {
      ...headers,
      'Content-Type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      ...(takesGzip ? { 'Content-Encoding': 'gzip' } : {}),
    },
    body: (takesGzip ? gzipped : gunzipSync(gzipped)).toString('base64'),
    isBase64Encoded: true,
  };
}

export type DocsHandler = (event: APIGatewayProxyEventV2) => APIGatewayProxyStructuredResultV2;

/** Serves the files under `docsPaths`. */
export function docsHandler(files: DocsFiles, log: (line: string) => void): DocsHandler {
  return (event) => {
    const { requestId, timeEpoch } = event.requestContext;
    let reply: APIGatewayProxyStructuredResultV2;
    try {
      reply = answer(files, event);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      reply = errorReply(error, requestId);
    }
    log(
      JSON.stringify({
        level: 'info',
        time: new Date(timeEpoch).toISOString(),
        request_id: requestId,
        operation: 'docs',
        route: event.routeKey,
        status: reply.statusCode,
      }),
    );
    return { ...reply, headers: { ...reply.headers, 'X-Request-Id': requestId } };
  };
}

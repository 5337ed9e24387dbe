import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ServiceError } from '#kernel/core/errors.ts';
import { matchPath } from '#kernel/http/match.ts';
import { explainUnknownPath, findPage, findSlashedList } from '#kernel/http/unknown-path.ts';
import { type Answering, answerPublicly, type PublicHandler } from './public-reply.ts';

/** Names the paths of the document and of the page that shows it. They need no credentials and no table. */
export const docsPaths = ['/openapi.json', '/docs', '/docs/{file}'] as const;

/** Maps file names to gzipped files, because the gateway compresses nothing. */
export type DocsFiles = ReadonlyMap<string, Buffer>;

export const documentFile = 'openapi.json';
export const pageFile = 'index.html';
/** Holds the hash of the only script, which the page assembles from its parts. */
export const scriptHashFile = 'swagger-ui.sha256';

const types: Readonly<Record<string, string>> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
};

/**
 * Lets the page load and call its own origin only. Other pages must not frame it, because a frame could steal clicks.
 * Swagger UI writes styles into its elements, and its pictures are in its style sheet.
 */
const contentSecurityPolicy = (scriptHash: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'sha256-${scriptHash}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const headers = {
  'Cache-Control': 'public, max-age=300',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

function fileAt(path: string): string {
  if (path === '/openapi.json') return documentFile;
  return path === '/docs' ? pageFile : path.replace('/docs/', '');
}

function answer(files: DocsFiles, event: APIGatewayProxyEventV2): APIGatewayProxyStructuredResultV2 {
  if (event.requestContext.http.method !== 'GET') {
    throw new ServiceError('method_not_allowed', { details: 'this path accepts GET', headers: { Allow: 'GET' } });
  }
  const name = fileAt(event.rawPath);
  const gzipped = files.get(name);
  if (!gzipped) throw new ServiceError('not_found', { details: 'the docs have no file of this name' });
  // Uncompressed, the document alone fills three quarters of the largest reply of a function, and it grows.
  return {
    statusCode: 200,
    headers: {
      ...headers,
      'Content-Security-Policy': contentSecurityPolicy(gunzipSync(files.get(scriptHashFile) ?? '').toString()),
      'Content-Type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'Content-Encoding': 'gzip',
    },
    body: gzipped.toString('base64'),
    isBase64Encoded: true,
  };
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}

interface PublicPaths extends Answering {
  files: () => Promise<DocsFiles> | DocsFiles;
  /** Names the page that `/` leads to. */
  home: string;
}

/** Serves the files under `docsPaths`, and answers requests that match no operation. */
export function createPublicHandler({ files, home, requestLines, ...logging }: PublicPaths): PublicHandler {
  return answerPublicly(logging, async (event) => {
    const request = { method: event.requestContext.http.method, path: event.rawPath };
    const page = findPage(request, home);
    if (page !== undefined) return { statusCode: 302, headers: { Location: page } };
    const list = findSlashedList(requestLines, request);
    // 308 keeps the method and the body.
    if (list !== undefined) return { statusCode: 308, headers: { Location: withQuery(list, event.rawQueryString) } };
    if (docsPaths.some((path) => matchPath(path, request.path))) return answer(await files(), event);
    throw explainUnknownPath(requestLines, request);
  });
}

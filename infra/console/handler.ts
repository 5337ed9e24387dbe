import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ServiceError } from '#kernel/core/errors.ts';
import { answerPublicly, type PublicHandler } from '../docs/public-reply.ts';

/** Names the paths of the console. Every address below the first one shows a screen. */
export const consolePaths = ['/console', '/console/{path+}'] as const;

/** Maps file names to gzipped files. */
export type ConsoleFiles = ReadonlyMap<string, Buffer>;

export const indexFile = 'index.html';
export const assetsFolder = 'assets';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Lets the page load and call its own origin only. Other pages must not frame it, because a frame could steal clicks.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const headers = {
  'Content-Encoding': 'gzip',
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

function answer(files: ConsoleFiles, { rawPath, requestContext }: APIGatewayProxyEventV2) {
  if (requestContext.http.method !== 'GET') {
    throw new ServiceError('method_not_allowed', { details: 'this path accepts GET', headers: { Allow: 'GET' } });
  }
  const [, , folder, asset = ''] = rawPath.split('/');
  const name = folder === assetsFolder ? asset : indexFile;
  const gzipped = files.get(name);
  if (!gzipped) throw new ServiceError('not_found', { details: 'the console has no file of this name' });
  const isHashed = /-[A-Z\d]{8}\.\w+$/.test(name);
  return {
    statusCode: 200,
    headers: {
      ...headers,
      'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      'Content-Type': types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    },
    body: gzipped.toString('base64'),
    isBase64Encoded: true,
  } satisfies APIGatewayProxyStructuredResultV2;
}

/** Serves the console without credentials. It holds no data, and each of its calls needs a key. */
export function createConsoleHandler({
  files,
  log,
}: {
  files: () => Promise<ConsoleFiles> | ConsoleFiles;
  log: (line: string) => void;
}): PublicHandler {
  return answerPublicly({ log }, async (event) => answer(await files(), event));
}

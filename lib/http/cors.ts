import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { matchPath } from './match.ts';
import type { RequestLine } from './route.ts';

/** What browsers ask before a page of another origin calls a client path, and what such a page may read. Other paths are for servers. */

const clientPaths = '/client/v1/';

/** Of all preflights: a route of their own, for a flood of them is no other caller's. */
export const preflightRoute = { method: 'OPTIONS', path: `${clientPaths}{path+}` } as const;

/** What a page may send beyond what browsers always let it. */
const sentHeaders = [
  'Content-Type',
  'X-Client-Application-Id',
  'X-Client-Token',
  'Authorization',
  'Idempotency-Key',
  // Client libraries of this interface send it with each call.
  'X-Voucherify-Channel',
] as const;

const readHeaders = [
  'X-Request-Id',
  'X-Rate-Limit-Limit',
  'X-Rate-Limit-Remaining',
  'X-Rate-Limit-Retry',
  'Retry-After',
  'Idempotent-Replayed',
  'X-Ignored-Fields',
] as const;

/** Browsers keep an answer no longer than two hours. */
const keptInSeconds = 7_200;

/** On replies of client paths, once it is known that the page may call. */
export function sharedWith(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': readHeaders.join(', '),
    Vary: 'Origin',
  };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly origin: string | undefined;
}

/**
 * The answer to a preflight of a client path that is there. It comes without credentials, so that every origin gets the same: which
 * pages may call is decided at the request itself, by its key.
 */
export function preflightReply(
  routes: readonly RequestLine[],
  { method, path, origin }: Asked,
): APIGatewayProxyStructuredResultV2 | undefined {
  if (method !== 'OPTIONS' || !path.startsWith(clientPaths) || !origin) return undefined;
  const methods = routes.filter((route) => matchPath(route.path, path)).map((route) => route.method);
  if (methods.length === 0) return undefined;
  return {
    statusCode: 204,
    headers: {
      ...sharedWith(origin),
      'Access-Control-Allow-Methods': [...new Set(methods)].sort().join(', '),
      'Access-Control-Allow-Headers': sentHeaders.join(', '),
      'Access-Control-Max-Age': String(keptInSeconds),
    },
  };
}

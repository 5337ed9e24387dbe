import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { matchPath } from './match.ts';
import type { RequestLine } from './route.ts';

/**
 * Answers preflights, with which a browser checks whether a web page of another origin may call a client path. Other
 * paths are for servers.
 */

const clientPaths = '/client/v1/';

/** The route of all preflights. It has its own limit, so that a flood of preflights harms no other caller. */
export const preflightRoute = { method: 'OPTIONS', path: `${clientPaths}{path+}` } as const;

/** Headers that a web page may send, beyond those that browsers always allow. */
const sentHeaders = [
  'Content-Type',
  'X-Client-Application-Id',
  'X-Client-Token',
  'Authorization',
  'Idempotency-Key',
  // Client libraries of this interface send this header with each call.
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

/** Browsers keep an answer for two hours at most. */
const keptInSeconds = 7_200;

/** Returns the headers of a reply on a client path, once the page is allowed to call. */
export function buildSharingHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    // Pages of existing clients send their calls with credentials. Cookies mean nothing here, and the origin is never `*`.
    'Access-Control-Allow-Credentials': 'true',
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
 * Answers the preflight of an existing client path. A preflight has no credentials, so every origin gets the same answer. The key of the
 * request itself decides which web pages may call.
 */
export function answerPreflight(
  routes: readonly RequestLine[],
  { method, path, origin }: Asked,
): APIGatewayProxyStructuredResultV2 | undefined {
  if (method !== 'OPTIONS' || !path.startsWith(clientPaths) || !origin) return undefined;
  const methods = routes.filter((route) => matchPath(route.path, path)).map((route) => route.method);
  if (methods.length === 0) return undefined;
  return {
    statusCode: 204,
    headers: {
      ...buildSharingHeaders(origin),
      'Access-Control-Allow-Methods': [...new Set(methods)].sort().join(', '),
      'Access-Control-Allow-Headers': sentHeaders.join(', '),
      'Access-Control-Max-Age': String(keptInSeconds),
    },
  };
}

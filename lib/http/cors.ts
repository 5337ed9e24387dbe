import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as v from 'valibot';
import { count } from '../core/schema.ts';
import { digestPart, tableShape } from '../table/keys.ts';
import { itemMarks, kind } from '../table/kind.ts';
import { kinds } from '../table/kind-names.ts';
import type { Table } from '../table/table.ts';
import { Update } from '../table/update.ts';
import { matchPath } from './match.ts';
import type { RequestLine } from './route.ts';

const pageCallsItem = v.object({ calls: count, expiresAt: count });

/** Stores the calls of a browser in one window, by a digest of the caller and its address, because addresses are personal data. */
export const browserCalls = kind<typeof pageCallsItem, [caller: string, window: string]>(
  kinds.pageCalls,
  pageCallsItem,
);

/** A pattern of IAM for the partition keys of all projects. */
export const browserCallsKeys = '*#PAGE_CALLS#*';

/** Covers the differences between the clocks of containers. A window that ended for one may be open for another. */
const keptForInSeconds = 60;

export interface CountedCall {
  readonly projectId: string;
  readonly caller: string;
  readonly address: string;
  /** The window's number, counted from 1970 on. */
  readonly window: number;
  readonly limit: number;
  /** The number of calls that this one counts for. */
  readonly weight: number;
  readonly now: Date;
}

/**
 * Counts a call across all containers in one conditional write. Returns the sum, or `undefined` if the window has no room for the call. A
 * write with a lost reply may count twice.
 */
export async function countBrowserCall(
  table: Table,
  { projectId, caller, address, window, limit, weight, now }: CountedCall,
): Promise<number | undefined> {
  const key = browserCalls(projectId, digestPart(`${caller}\n${address}`), String(window));
  const expiresAt = Math.floor(now.getTime() / 1000) + keptForInSeconds;
  const update = new Update().add('calls', weight).set([tableShape.timeToLive], expiresAt);
  update.whenAtMost('calls', limit - weight);
  for (const [name, value] of Object.entries(itemMarks(key))) update.set([name], value);
  const outcome = await table.change(key, update.build());
  return outcome.done ? v.parse(pageCallsItem, outcome.item).calls : undefined;
}

/** Answers preflights: a browser asks whether a web page of another origin may call a client path. Other paths are for servers. */

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

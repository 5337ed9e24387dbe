import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ServiceError } from '#kernel/core/errors.ts';
import { countBrowserCall } from './browser-calls.ts';
import type { Dependencies } from './composition.ts';
import type { Caller } from './context.ts';
import { clientLimit, type RateStanding } from './rate-limit.ts';
import { type Middleware, nameCaller, type RequestScope } from './request-scope.ts';
import { isBrowserCall, type Route } from './route.ts';

/**
 * Counts a browser's call across all containers: one write, or none if this container knows that the limit is reached.
 * A browser's key is public, and codes can be tried with it over any number of connections.
 */
async function limitBrowser(
  { rateLimiter }: Dependencies,
  { table, now }: RequestScope,
  caller: Caller,
  weight: number,
): Promise<RateStanding> {
  const name = nameCaller(caller);
  const { address = '' } = caller;
  const here = rateLimiter.countBrowser(name, address, now, weight);
  if (here.exceeded) return here;
  const { window, limit } = here;
  const of = { projectId: caller.project.id, caller: name, address };
  const calls = await countBrowserCall(table, { ...of, window, limit, weight, now });
  if (calls !== undefined) return { ...here, remaining: Math.min(here.remaining, limit - calls) };
  rateLimiter.exhaustBrowser(name, address, window, weight);
  return { ...here, remaining: 0, exceeded: true };
}

function standingOf(route: Route, dependencies: Dependencies, scope: RequestScope, event: APIGatewayProxyEventV2) {
  const { caller, manager, now } = scope;
  const { rateLimiter } = dependencies;
  if (caller && isBrowserCall(route, caller) && rateLimiter.hasBrowserLimit) {
    // A call uses at most the whole window, because it could otherwise never be answered.
    const weight = Math.min(clientLimit, Math.max(1, route.weight?.(event) ?? 1));
    return limitBrowser(dependencies, scope, caller, weight);
  }
  // No app id has a line break, so a manager and a key of the same name are counted separately.
  const name = caller ? nameCaller(caller) : manager && `manager\n${manager.name}`;
  return name === undefined ? undefined : rateLimiter.count(name, now);
}

/** Counts callers with an app key or a client key, and managers. The gateway's throttling limits all others. */
export function limitRate(route: Route, dependencies: () => Dependencies): Middleware {
  return {
    before: async ({ event, internal: { scope } }) => {
      const standing = await standingOf(route, dependencies(), scope, event);
      if (!standing) return;
      const { limit, windowInSeconds, remaining, retryInSeconds, exceeded } = standing;
      // Existing clients of this interface read all three headers as numbers, on every reply.
      Object.assign(scope.replyHeaders, {
        'X-Rate-Limit-Limit': String(limit),
        'X-Rate-Limit-Remaining': String(remaining),
        'X-Rate-Limit-Retry': String(retryInSeconds),
      });
      if (!exceeded) return;
      throw new ServiceError('too_many_requests', {
        details: `a caller may call ${limit} times in ${windowInSeconds} s; the next window begins in ${retryInSeconds} s`,
        reason: 'rate',
        headers: { 'Retry-After': String(retryInSeconds) },
      });
    },
  };
}

import { ServiceError } from '../errors.ts';
import type { Dependencies } from './composition.ts';
import type { Route } from './route.ts';
import { nameOf, type Step } from './scope.ts';

/** Counts callers with an app key, and managers; the gateway's own throttling holds for the others. */
export function limitRate(route: Route, dependencies: () => Dependencies): Step {
  return {
    before: ({ event, internal: { scope } }) => {
      const { caller, manager } = scope;
      // No app id has a line break, so a manager's count is apart from that of a key of the same name.
      const name = caller ? nameOf(caller) : manager && `manager\n${manager.name}`;
      if (name === undefined) return;
      const { rateLimiter } = dependencies();
      const { limit, windowInSeconds, remaining, retryInSeconds, exceeded } =
        route.authentication === 'client'
          ? rateLimiter.countPage(name, event.requestContext.http.sourceIp, scope.now)
          : rateLimiter.count(name, scope.now);
      // Existing clients of this interface read all three as numbers, on every reply.
      Object.assign(scope.replyHeaders, {
        'X-Rate-Limit-Limit': String(limit),
        'X-Rate-Limit-Remaining': String(remaining),
        'X-Rate-Limit-Retry': String(retryInSeconds),
      });
      if (!exceeded) return;
      throw new ServiceError('too_many_requests', {
        details: `a caller may call ${limit} times in ${windowInSeconds} s; the next window begins in ${retryInSeconds} s`,
        headers: { 'Retry-After': String(retryInSeconds) },
      });
    },
  };
}

import { randomInt } from 'node:crypto';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Dependencies } from './composition.ts';
import type { Middleware } from './request-scope.ts';
import type { Route } from './route.ts';

/** Spreads the retries of callers that were refused at the same moment. */
const spreadInSeconds = 3;

/** Paths that a shop's checkout waits for. Rollbacks are not among them, because they give back uses of earlier calls. */
const tillPath =
  /\/(?:redeem|redemptions?|validate|validations?|qualifications|commerce\/discounts|commerce\/loyalty)$/;

/**
 * Returns whether the route validates, redeems or qualifies, for a server, a browser or an agent. A server's `GET` only
 * reads records.
 */
export function isOfTill({ method, path, authentication }: Pick<Route, 'method' | 'path' | 'authentication'>): boolean {
  return tillPath.test(path) && (method === 'POST' || authentication === 'client');
}

/** Refuses a call of the till beyond the project's `till_rate`. A project without this setting has no extra cost. */
export function limitTill(route: Route, dependencies: () => Dependencies): Middleware {
  const isLimited = isOfTill(route);
  return {
    before: async ({ internal: { scope } }) => {
      const { caller, table, now } = scope;
      const rate = caller?.project.tillRate;
      if (!isLimited || !caller || rate === undefined) return;
      const freeAt = await dependencies().rateLimiter.tills.take(table, { projectId: caller.project.id, rate, now });
      if (freeAt === undefined) return;
      const waitInSeconds = Math.max(1, Math.ceil((freeAt - now.getTime()) / 1_000)) + randomInt(spreadInSeconds);
      throw new ServiceError('too_many_requests', {
        details: `the project's setting till_rate allows ${rate} validations, redemptions and qualifications a second, of all callers together; nothing was changed, try again in ${waitInSeconds} s`,
        reason: 'project_rate',
        headers: { 'Retry-After': String(waitInSeconds) },
      });
    },
  };
}

import { ServiceError } from '#kernel/core/errors.ts';
import { matchPath } from './match.ts';
import type { RequestLine } from './route.ts';

const whereTheDocumentIs = '/openapi.json has what is served, /docs shows it';

/** Returns the page that a browser should see instead of `/` or `/docs/`. */
export function findPage({ method, path }: { method: string; path: string }, home: string): string | undefined {
  if (method !== 'GET') return undefined;
  return path === '/' ? home : path === '/docs/' ? '/docs' : undefined;
}

/** A list of the interface with a slash at its end. An encoded slash of an id does not match here. */
const slashedList = /^(\/v1\/[a-z-]+)\/$/;

/** Returns the list that an older client means, if its path with a slash at the end is not a route of this method. */
export function findSlashedList(
  routes: readonly RequestLine[],
  { method, path }: { method: string; path: string },
): string | undefined {
  const [, list] = slashedList.exec(path) ?? [];
  return routes.some((route) => route.method === method && route.path === list) ? list : undefined;
}

/**
 * Explains why a request fits no route: the path is unknown, or known with other methods only (RFC 9110 §15.5.6). A
 * path with an encoded slash, which the gateway decoded, is also unknown.
 */
export function explainUnknownPath(
  routes: readonly RequestLine[],
  { method, path }: { method: string; path: string },
): ServiceError {
  const methods = routes.filter((route) => matchPath(route.path, path)).map((route): string => route.method);
  if (methods.length === 0 || methods.some((taken) => taken === method)) {
    return new ServiceError('not_found', { details: `no operation has this path; ${whereTheDocumentIs}` });
  }
  const allow = [...new Set(methods)].sort().join(', ');
  return new ServiceError('method_not_allowed', { details: `this path accepts ${allow}`, headers: { Allow: allow } });
}

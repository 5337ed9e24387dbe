import { ServiceError } from '../errors.ts';
import { matchPath } from '../routes/match.ts';
import type { RequestLine } from '../routes/route.ts';

/** Why a request fits no route: its path is unknown, or known with other methods only (RFC 9110 §15.5.6). A path
 * that takes the method and still came here has an encoded slash, which the gateway has decoded: it is none of ours. */
export function unknownPathError(
  routes: readonly RequestLine[],
  { method, path }: { method: string; path: string },
): ServiceError {
  const methods = routes
    .filter((route) => route.method !== 'ANY' && matchPath(route.path, path))
    .map((route) => route.method);
  if (methods.length === 0 || methods.some((taken) => taken === method))
    return new ServiceError('not_found', { details: 'no operation has this path' });
  const allow = [...new Set(methods)].sort().join(', ');
  return new ServiceError('method_not_allowed', { details: `this path takes ${allow}`, headers: { Allow: allow } });
}

import { matchPath } from './match.ts';
import type { RequestLine } from './route.ts';

/** Operations of the public interface that are planned. An operation leaves the list when it is served. All are served today. */
const planned: readonly RequestLine[] = [];

/** Returns the operations of the public interface that none of these routes serves. */
export function findUnserved(served: readonly RequestLine[]): RequestLine[] {
  return planned.filter(
    ({ method, path }) => !served.some((line) => line.method === method && matchPath(line.path, path)),
  );
}

/** Returns whether an unknown path belongs to the public interface, so that its 404 differs from a typo's. */
export function isPlanned(path: string): boolean {
  return planned.some((line) => matchPath(line.path, path));
}

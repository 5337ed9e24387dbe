import type { Dependencies } from '#kernel/http/composition.ts';
import { compareSpecificity, matchPath } from '#kernel/http/match.ts';
import type { LambdaHandler } from '#kernel/http/operation.ts';
import { listRequestLines, type RequestLine, type Route } from '#kernel/http/route.ts';
import { operations } from '../operations.ts';

export interface Served {
  operation: string;
  route: RequestLine;
  body: Route['body'];
  handle: LambdaHandler;
  /** Answers a caller on another machine. Management paths then always ask for a key. */
  handleFromOutside: LambdaHandler;
}

/** Finds the operation that answers a request. The most specific of several matching paths wins. */
export function createEndpointFinder(dependencies: Dependencies): (method: string, path: string) => Served | undefined {
  const endpoints = operations
    .flatMap(({ name, route, handler }): Served[] => {
      const handle = handler.with(dependencies);
      const handleFromOutside =
        route.authentication === 'management' && dependencies.managementGuard === 'open'
          ? handler.with({ ...dependencies, managementGuard: 'keys' })
          : handle;
      return listRequestLines(route).map((line) => ({
        operation: name,
        route: line,
        body: route.body,
        handle,
        handleFromOutside,
      }));
    })
    .toSorted((a, b) => compareSpecificity(a.route, b.route));
  return (method, path) =>
    endpoints.find(({ route }) => route.method === method && matchPath(route.path, path) !== undefined);
}

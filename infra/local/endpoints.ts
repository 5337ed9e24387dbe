import type { Dependencies } from '#kernel/http/composition.ts';
import { createRouter } from '#kernel/http/match.ts';
import type { LambdaHandler } from '#kernel/http/operation.ts';
import { listRequestLines, type RequestLine, type Route } from '#kernel/http/route.ts';
import { withoutLeftOut } from '../left-out.ts';
import { operations } from '../operations.ts';

export interface Served {
  operation: string;
  route: RequestLine;
  /** The parameters of the path, percent-encoded. */
  params: Readonly<Record<string, string>>;
  body: Route['body'];
  handle: LambdaHandler;
  /** Answers a caller on another machine. Management paths then always require a key. */
  handleFromOutside: LambdaHandler;
}

/** Finds the operation that answers a request. The most specific of several matching paths wins. */
export function createEndpointFinder(
  dependencies: Dependencies,
  leftOut: readonly string[] = [],
): (method: string, path: string) => Served | undefined {
  const find = createRouter(
    withoutLeftOut(operations, leftOut).flatMap(({ name, route, handler }) => {
      const handle = handler.with(dependencies);
      const handleFromOutside =
        route.authentication === 'management' && dependencies.managementGuard === 'open'
          ? handler.with({ ...dependencies, managementGuard: 'keys' })
          : handle;
      return listRequestLines(route).map((line) => ({
        ...line,
        served: { operation: name, route: line, body: route.body, handle, handleFromOutside },
      }));
    }),
  );
  return (method, path) => {
    const found = find(method, path);
    return found && { ...found.line.served, params: found.params };
  };
}

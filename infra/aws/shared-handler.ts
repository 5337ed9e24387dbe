import { createRouter } from '#kernel/http/match.ts';
import type { Endpoint, LambdaHandler } from '#kernel/http/operation.ts';
import type { RequestLine } from '#kernel/http/route.ts';
import { explainUnknownPath } from '#kernel/http/unknown-path.ts';
import { answerPublicly } from '../docs/public-reply.ts';

/** Describes an operation of a shared function, and loads its code. */
export interface SharedLine extends RequestLine {
  readonly load: () => Promise<{ readonly handler: Endpoint }>;
}

/**
 * Serves several operations, each with the event that a route of the gateway to it alone would bring. The code of an
 * operation is loaded with its first call. Other paths and methods get the same 404 and 405 as everywhere.
 */
export function createSharedHandler(
  lines: readonly SharedLine[],
  log: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
): LambdaHandler {
  const find = createRouter(lines);
  const refuse = answerPublicly({ log }, ({ rawPath: path, requestContext: { http } }) => {
    throw explainUnknownPath(lines, { method: http.method, path });
  });
  return async (event, context) => {
    // The gateway has decoded the path.
    const found = find(event.requestContext.http.method, event.rawPath);
    if (!found) return refuse(event);
    const { line, params: pathParameters } = found;
    const routeKey = `${line.method} ${line.path}`;
    const requestContext = { ...event.requestContext, routeKey };
    const { handler } = await line.load();
    return handler({ ...event, routeKey, requestContext, pathParameters }, context);
  };
}

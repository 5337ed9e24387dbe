import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ServiceError } from '#kernel/core/errors.ts';
import { writeErrorReply } from '#kernel/http/reply.ts';
import type { RequestLine } from '#kernel/http/route.ts';

/** Answers callers without credentials or a table. */

type Reply = APIGatewayProxyStructuredResultV2;

export type PublicHandler = (event: APIGatewayProxyEventV2) => Promise<Reply>;

export interface Answering {
  /** Lists the request lines of all operations, so that replies know which paths exist. */
  readonly requestLines: readonly RequestLine[];
  readonly log: (line: string) => void;
  /** True if the log names unknown paths. A deployed log contains no path, because a path may contain a code. */
  readonly logsPaths?: boolean;
}

/** A request line with the add-on of its operation. */
export type ServedLine = RequestLine & { readonly addOn?: string | undefined };

/** The file is next to the bundle, with the method and path of every operation. */
export const requestLinesFile = 'request-lines.json';

/** Logs a line for each request, and turns refusals into the common error body. */
export function answerPublicly(
  { log, logsPaths = false }: Pick<Answering, 'log' | 'logsPaths'>,
  answer: (event: APIGatewayProxyEventV2) => Promise<Reply> | Reply,
): PublicHandler {
  return async (event) => {
    const { requestId, timeEpoch, http } = event.requestContext;
    let reply: Reply;
    try {
      reply = await answer(event);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      reply = writeErrorReply(error, requestId);
    }
    log(
      JSON.stringify({
        level: 'info',
        time: new Date(timeEpoch).toISOString(),
        request_id: requestId,
        route: event.routeKey,
        status: reply.statusCode,
        ...(logsPaths && event.routeKey === '$default' ? { method: http.method, path: http.path } : {}),
      }),
    );
    return { ...reply, headers: { ...reply.headers, 'X-Request-Id': requestId } };
  };
}

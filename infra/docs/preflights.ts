import { answerPreflight } from '#kernel/http/cors.ts';
import { explainUnknownPath } from '#kernel/http/unknown-path.ts';
import { type Answering, answerPublicly, type PublicHandler } from './public-reply.ts';

/** Answers the preflights of client paths, and other `OPTIONS` requests to them. */
export function createPreflightHandler({ requestLines, log }: Answering): PublicHandler {
  return answerPublicly({ log }, ({ rawPath: path, headers, requestContext: { http } }) => {
    const request = { method: http.method, path };
    const reply = answerPreflight(requestLines, { ...request, origin: headers.origin });
    if (reply) return reply;
    throw explainUnknownPath(requestLines, request);
  });
}

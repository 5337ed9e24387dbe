import { preflightReply } from '../../lib/http/cors.ts';
import { unknownPathError } from '../../lib/http/unknown-path.ts';
import { type Answering, answering, type PublicHandler } from './public-reply.ts';

/** Answers the preflights of client paths, and other `OPTIONS` requests to them. */
export function preflightHandler({ requestLines, log }: Answering): PublicHandler {
  return answering({ log }, ({ rawPath: path, headers, requestContext: { http } }) => {
    const request = { method: http.method, path };
    const reply = preflightReply(requestLines, { ...request, origin: headers.origin });
    if (reply) return reply;
    throw unknownPathError(requestLines, request);
  });
}

import { endpoint } from '../lib/http/endpoint.ts';
import { unknownPathError } from '../lib/http/unknown-path.ts';
import { fallbackRoutes } from '../lib/routes/fallback.ts';
import { requestLines } from '../lib/routes/request-lines.ts';

export const handler = endpoint(fallbackRoutes, 'unknown-path', async ({ event }) => {
  const { method } = event.requestContext.http;
  throw unknownPathError(requestLines, { method, path: event.rawPath });
});

import { maxKeyLength } from '#kernel/http/idempotency.ts';
import { ignoredFieldsHeader } from '#kernel/http/ignored-fields.ts';
import { canTakeIdempotencyKey, isRateLimited, type Route } from '#kernel/http/route.ts';
import type { Json } from './schemas.ts';

const text = { type: 'string' };
const number = { type: 'integer' };

/** Describes the headers of replies that HTTP itself does not define. */
export const replyHeaders: Record<string, Json> = {
  'X-Request-Id': { description: 'Id of the request, also in the log and in the body of an error.', schema: text },
  'X-Rate-Limit-Limit': {
    description: 'Number of calls that the caller may make in a minute. A browser has it for five seconds.',
    schema: number,
  },
  'X-Rate-Limit-Remaining': { description: 'Number of calls that are left at the moment.', schema: number },
  'X-Rate-Limit-Retry': { description: 'Seconds until the next period begins.', schema: number },
  [ignoredFieldsHeader]: {
    description: 'Lists unknown parameters and unknown fields of the body, by path. They had no effect.',
    schema: text,
  },
  'Access-Control-Allow-Origin': { description: 'The origin that may read the reply.', schema: text },
  'Access-Control-Allow-Credentials': {
    description: 'A page may send the call with credentials. Cookies have no effect.',
    schema: { type: 'string', const: 'true' },
  },
  'Access-Control-Expose-Headers': { description: 'The headers that the browser may read.', schema: text },
  'Idempotent-Replayed': {
    description: 'The request was carried out before, and this is the first reply.',
    schema: { type: 'string', const: 'true' },
  },
};

const sharing = ['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials', 'Access-Control-Expose-Headers'];
const rateLimit = ['X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Retry'];

function referred(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Lists the headers that any reply of the route may carry. Refused credentials show no limit. */
export function listReplyHeaders(route: Route, status: number): Json {
  // The server refuses such a request before it reads the path and the headers.
  if (status === 431) return referred(['X-Request-Id']);
  // The other statuses are decided before the request is carried out, or mean that it was not.
  const mayBeReplay = status < 400 || [400, 404, 409].includes(status);
  return referred([
    'X-Request-Id',
    ...(route.authentication === 'client' ? sharing : []),
    ...(isRateLimited(route) && status !== 401 ? rateLimit : []),
    ...(status === 401 ? [] : [ignoredFieldsHeader]),
    ...(canTakeIdempotencyKey(route) && mayBeReplay ? ['Idempotent-Replayed'] : []),
  ]);
}

const retryAfter = { description: 'Seconds to wait.', schema: number };

/** Lists further headers of refusals with these statuses. */
export const errorHeaders: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': { description: 'Present if a bearer token was sent.', schema: text } },
  403: { 'WWW-Authenticate': { description: 'Names the scope that is missing.', schema: text } },
  429: { 'Retry-After': retryAfter },
};

export function listHeaderParameters(route: Route): Json[] {
  if (!canTakeIdempotencyKey(route)) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Choose a new key for each new request. For 24 hours, the same request with the same key is carried out once and gets the first reply again.',
      schema: { type: 'string', minLength: 1, maxLength: maxKeyLength },
    },
  ];
}

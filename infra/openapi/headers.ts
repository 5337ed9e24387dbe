import { maxKeyLength } from '../../lib/http/idempotency.ts';
import { ignoredFieldsHeader } from '../../lib/http/ignored-fields.ts';
import { isRateLimited, type Route, takesIdempotencyKey } from '../../lib/http/route.ts';
import type { Json } from './schemas.ts';

const text = { type: 'string' };
const number = { type: 'integer' };

/** THE headers of replies beyond those that HTTP itself has words for. */
export const replyHeaders: Record<string, Json> = {
  'X-Request-Id': { description: 'Also in the log, and in the body of an error.', schema: text },
  'X-Rate-Limit-Limit': {
    description: 'How often the caller may call in a minute, a page in five seconds.',
    schema: number,
  },
  'X-Rate-Limit-Remaining': { description: 'How many of these calls are left, here and now.', schema: number },
  'X-Rate-Limit-Retry': { description: 'Seconds until the next of these begins.', schema: number },
  [ignoredFieldsHeader]: {
    description:
      'Parameters and fields of the body that are not known here and had no effect, as paths into it: where there are any.',
    schema: text,
  },
  'Access-Control-Allow-Origin': { description: 'The page that may read the reply.', schema: text },
  'Access-Control-Expose-Headers': { description: 'Which headers the page may read.', schema: text },
  'Idempotent-Replayed': {
    description: 'The request was carried out before; this is what it was answered.',
    schema: { const: 'true' },
  },
};

const sharing = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];
const rateLimit = ['X-Rate-Limit-Limit', 'X-Rate-Limit-Remaining', 'X-Rate-Limit-Retry'];

function referred(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers that any reply of the route may carry; refused credentials show no limit. */
export function headersOf(route: Route, status: number): Json {
  // The others are decided before it is known whether the request was carried out, or say that it was not.
  const mayBeReplay = status < 400 || [400, 404, 409].includes(status);
  return referred([
    'X-Request-Id',
    ...(route.authentication === 'client' ? sharing : []),
    ...(isRateLimited(route) && status !== 401 ? rateLimit : []),
    ...(status === 401 ? [] : [ignoredFieldsHeader]),
    ...(takesIdempotencyKey(route) && mayBeReplay ? ['Idempotent-Replayed'] : []),
  ]);
}

const retryAfter = { description: 'Seconds to wait.', schema: number };

/** What a refusal of these statuses carries besides. */
export const errorHeaders: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': { description: 'Where a bearer token was presented.', schema: text } },
  403: { 'WWW-Authenticate': { description: 'Names the scope that is missing.', schema: text } },
  429: { 'Retry-After': retryAfter },
};

export function headerParameters(route: Route): Json[] {
  if (!takesIdempotencyKey(route)) return [];
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Of your making, new for each request that is to be carried out: the same request with the same key is carried out once and answered as it was, for 24 hours.',
      schema: { type: 'string', minLength: 1, maxLength: maxKeyLength },
    },
  ];
}

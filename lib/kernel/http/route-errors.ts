import type { ErrorKey } from '#kernel/core/errors.ts';
import { takesMetadata } from './metadata-fields.ts';
import { type Authentication, canTakeIdempotencyKey, type Route } from './route.ts';
import { isList } from './unknown-params.ts';

const credentials: Readonly<Record<Authentication, readonly ErrorKey[]>> = {
  server: ['unauthorized', 'insufficient_scope'],
  'app-key': ['unauthorized'],
  client: ['unauthorized', 'insufficient_scope'],
  management: ['unauthorized', 'forbidden'],
  none: [],
};

const idempotencyKeys: readonly ErrorKey[] = [
  'invalid_idempotency_key',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'idempotency_reply_lost',
];

/** Returns the route's own error keys, and those that follow from its input. */
export function listRouteErrors(route: Route): ErrorKey[] {
  const body: ErrorKey[] = ['invalid_payload', 'unsupported_media_type', 'payload_too_large'];
  return [
    ...new Set<ErrorKey>([
      ...route.errors,
      ...credentials[route.authentication],
      ...(route.clientSwitch ? (['client_side_disabled'] as const) : []),
      ...(route.params ? (['invalid_path_params'] as const) : []),
      ...(route.query || isList(route) ? (['invalid_query_params'] as const) : []),
      ...(route.body === undefined ? [] : body),
      // Work that is only accepted refuses its rows one at a time.
      ...(takesMetadata(route) && route.reply.status !== 202 ? (['metadata_validation_failed'] as const) : []),
      ...(canTakeIdempotencyKey(route) ? idempotencyKeys : []),
      // The server refuses the request line and the headers before it knows the operation.
      'request_header_fields_too_large',
      // Too many calls of the app key, or a table that is too busy.
      ...(route.access === 'none' ? [] : (['too_many_requests'] as const)),
      'internal_error',
      ...(route.access === 'write' ? (['outcome_unknown'] as const) : []),
    ]),
  ];
}

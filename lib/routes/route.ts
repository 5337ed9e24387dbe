import type * as v from 'valibot';
import type { ErrorKey } from '../errors.ts';
import type { FamilyScope } from '../tokens/scopes.ts';

type Schema = v.GenericSchema;
type ObjectSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

/** What a reply carries: JSON checked against its schema, nothing, or a picture in one of the named types. */
export type Reply =
  | {
      readonly kind: 'json';
      readonly status: 200;
      readonly schema: Schema;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'empty'; readonly status: 204 }
  | { readonly kind: 'image'; readonly status: 200; readonly types: readonly string[] };

/**
 * Who may call. `server`: the two app headers, or a bearer token with the scope `api` or the one named. `app-key`: the
 * two app headers only. `management`: whoever the deployment's guard of the management paths lets in. `none`: anyone.
 */
type Access =
  | { readonly authentication: 'server'; readonly scope: FamilyScope }
  | { readonly authentication: 'app-key' | 'management' | 'none'; readonly scope?: never };

interface RouteBase {
  /** `ANY` only for the route that answers what no other does. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'ANY';
  /** `{name}` stands for one segment, `{name+}` for the rest. */
  readonly path: string;
  readonly summary: string;
  /** What the function may do to the table; the stack grants no more. */
  readonly access: 'read' | 'write' | 'none';
  /** By path parameter; the gateway has percent-decoded them. */
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** `ignored`: a JSON body may be sent and has no effect, as existing clients do. */
  readonly body?: { readonly format: 'json' | 'form'; readonly schema: Schema } | 'ignored';
  readonly reply: Reply;
  /** What this operation itself refuses; `errorsOf` adds what follows from what it takes. */
  readonly errors: readonly ErrorKey[];
}

export type Route = RouteBase & Access;

/** What of a route decides which requests are its. */
export type RequestLine = Pick<Route, 'method' | 'path'>;

export type Routes = Readonly<Record<string, Route>>;

const credentials: Readonly<Record<Route['authentication'], readonly ErrorKey[]>> = {
  server: ['unauthorized', 'insufficient_scope'],
  'app-key': ['unauthorized'],
  management: ['unauthorized'],
  none: [],
};

/** Whether its callers come with an app key, or with a token of one. */
export function hasAppKey({ authentication }: Route): boolean {
  return authentication === 'server' || authentication === 'app-key';
}

/** The app-key routes are those of OAuth: a reply kept of them would be a token in clear, and repeating them harms nobody. */
export function takesIdempotencyKey({ method, authentication, access }: Route): boolean {
  return (method === 'POST' || method === 'PUT') && authentication === 'server' && access === 'write';
}

const idempotencyKeys: readonly ErrorKey[] = [
  'invalid_idempotency_key',
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'idempotency_reply_lost',
];

/** Keys that any route may answer by what it takes, without naming them. */
export function errorsOf(route: Route): ErrorKey[] {
  const body: ErrorKey[] = ['invalid_payload', 'unsupported_media_type', 'payload_too_large'];
  return [
    ...new Set<ErrorKey>([
      ...route.errors,
      ...credentials[route.authentication],
      ...(route.params ? (['invalid_path_params'] as const) : []),
      ...(route.query ? (['invalid_query_params'] as const) : []),
      ...(route.body === undefined ? [] : body),
      ...(takesIdempotencyKey(route) ? idempotencyKeys : []),
      // Of the app key's calls, or of what the table can take at once.
      ...(route.access === 'none' ? [] : (['too_many_requests'] as const)),
      'internal_error',
    ]),
  ];
}

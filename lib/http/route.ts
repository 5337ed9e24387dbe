import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { ErrorKey } from '../core/errors.ts';
import type { FileAccess, FileRight } from '../core/files/access.ts';
import { text } from '../core/schema.ts';
import { type Caller, isPage } from './context.ts';
import type { ClientSwitch } from './projects/project.ts';
import type { ClientScope, FamilyScope, PathScope } from './tokens/scopes.ts';

type Schema = v.GenericSchema;
type ObjectSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a reply carries: JSON checked against its schema, nothing, or a picture in one of the named types. */
export type Reply =
  | {
      readonly kind: 'json';
      readonly status: 200 | 202;
      readonly schema: Schema;
      /** What is answered with 202 in place of it, where the work is only accepted. */
      readonly accepted?: Schema;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'empty'; readonly status: 204 }
  | { readonly kind: 'image'; readonly status: 200; readonly types: readonly string[] };

/** Nothing but the status: 204. */
export const empty = { kind: 'empty', status: 204 } as const;

/** JSON with another status than 200, or with headers of its own. */
export function json<S extends Schema>(
  schema: S,
  { status = 200, headers = {} }: { status?: 200 | 202; headers?: Readonly<Record<string, string>> },
) {
  return { kind: 'json', status, schema, headers } as const;
}

/** JSON that says what was done, or with 202 that it is going to be. */
export function orAccepted<S extends Schema, A extends Schema>(schema: S, accepted: A) {
  return { kind: 'json', status: 200, schema, accepted } as const;
}

interface PlainBody {
  readonly format: 'json' | 'form';
  readonly schema: Schema;
}

/** A form with a file (lib/http/upload.ts). It brings its reader, which only the operations that take one load. */
interface FileBody {
  readonly format: 'file';
  readonly schema: Schema;
  /** The same as a form has it, and as JSON. */
  readonly form: Schema;
  readonly json: Schema;
  readonly read: (event: APIGatewayProxyEventV2) => Promise<unknown>;
}

export type Body = PlainBody | FileBody;

/** A form-encoded body. */
export function form<const S extends Schema>(schema: S) {
  return { format: 'form', schema } as const;
}

/**
 * Who may call. `server`: the two app headers, or a bearer token with the scope `api` or the one named. `app-key`: the
 * two app headers only. `client`: the two client headers from one of the key's origins, or a bearer token with the scope
 * `client_api` or the one named. `management`: whoever the deployment's guard of the management paths lets in. `none`: anyone.
 */
export type Authentication = 'server' | 'app-key' | 'client' | 'management' | 'none';

/** What a function may do to the table: nothing, get single items, read anything, or read and write. */
export type TableAccess = 'none' | 'get' | 'read' | 'write';

/** A request that the demo project answers with success: for the document, and for the tests of all operations. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
}

/** An operation as its file describes it. */
export interface Description {
  /** `{name}` stands for one segment of the path, `{name+}` for the rest. */
  readonly route: `${Method} /${string}`;
  /** Whether the path is also taken with a slash at its end, as clients send it that join it with a code which they have not. */
  readonly slashed?: true;
  /** The scope that opens the path to bearer tokens, of paths that take them: a `client_` one of client paths alone. */
  readonly scope?: FamilyScope | ClientScope;
  /** Who may call, where it is not `server`. */
  readonly caller?: Exclude<Authentication, 'server'>;
  /** Of a client path: by which a project lets pages call it, or not. */
  readonly clientSwitch?: ClientSwitch;
  /** Of a client path: whether servers may call it with their keys, too. */
  readonly serverKeys?: true;
  /** Of a client path: for how many calls of a page one counts, before its body is checked. */
  readonly weight?: (event: APIGatewayProxyEventV2) => number;
  readonly summary: string;
  /** What a caller has to know beyond shapes. */
  readonly note?: string;
  /** What is answered when it is done, in a sentence. */
  readonly answers: string;
  /** What path parameters stand for, where their names do not say it. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: ObjectSchema;
  /** JSON unless it is a `form` or a `csvUpload`. `ignored`: a JSON body may be sent and has no effect, as existing clients do. */
  readonly body?: Schema | Body | 'ignored';
  /** A schema: JSON with status 200. */
  readonly reply: Schema | Reply;
  /** What this operation itself refuses; `errorsOf` adds what follows from what it takes. */
  readonly errors?: readonly ErrorKey[];
  /** By default `read` for GET and `write` for the others. */
  readonly table?: TableAccess;
  /** Where it keeps or shows files. */
  readonly files?: FileAccess;
  /** Whether its log lines count validations for campaigns (`lib/checkout/validations/tally.ts`). */
  readonly validates?: true;
  readonly example?: Example;
}

/** The names of a path's parameters. */
export type ParamsOf<R extends string> = R extends `${string}{${infer P}}${infer Rest}`
  ? (P extends `${infer Q}+` ? Q : P) | ParamsOf<Rest>
  : never;

/** An operation with every default filled in. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly slashed: boolean;
  readonly authentication: Authentication;
  readonly scope: FamilyScope | ClientScope | undefined;
  readonly clientSwitch: ClientSwitch | undefined;
  readonly serverKeys: boolean;
  readonly weight: ((event: APIGatewayProxyEventV2) => number) | undefined;
  readonly summary: string;
  readonly note: string | undefined;
  readonly answers: string;
  readonly words: Readonly<Record<string, string>>;
  /** By path parameter; the gateway has percent-decoded them. */
  readonly params: ObjectSchema | undefined;
  readonly query: ObjectSchema | undefined;
  readonly body: Body | 'ignored' | undefined;
  readonly reply: Reply;
  readonly errors: readonly ErrorKey[];
  readonly access: TableAccess;
  readonly files: readonly FileRight[] | undefined;
  readonly validates: boolean;
  readonly example: Example;
}

/** The part of a route that decides which requests it takes. */
export type RequestLine = Pick<Route, 'method' | 'path'>;

export function requestLinesOf({ method, path, slashed }: Route): RequestLine[] {
  return [path, ...(slashed ? [`${path}/`] : [])].map((path) => ({ method, path }));
}

function isSchema(value: object): value is Schema {
  return '~run' in value;
}

function methodOf(name: string | undefined): Method {
  if (name === 'GET' || name === 'POST' || name === 'PUT' || name === 'DELETE') return name;
  throw new Error(`${name} is no method of a route`);
}

export function routeOf(operation: Description): Route {
  const [verb, path = ''] = operation.route.split(' ');
  const {
    scope,
    caller,
    clientSwitch,
    serverKeys = false,
    weight,
    summary,
    note,
    answers,
    params = {},
    query,
    body,
    reply,
    errors = [],
    table,
    files,
    validates = false,
    example = {},
  } = operation;
  const method = methodOf(verb);
  if (scope !== undefined && scope.startsWith('client_') !== (caller === 'client')) {
    throw new Error(`${operation.route} can't be opened by ${scope}`);
  }
  const names = [...path.matchAll(/\{(\w+)\+?\}/g)].flatMap(([, name]) => name ?? []);
  return {
    method,
    path,
    slashed: operation.slashed ?? false,
    authentication: caller ?? 'server',
    scope,
    clientSwitch,
    serverKeys,
    weight,
    summary,
    note,
    answers,
    words: params,
    params: names.length === 0 ? undefined : v.object(Object.fromEntries(names.map((name) => [name, text]))),
    query,
    body: typeof body === 'object' && isSchema(body) ? { format: 'json', schema: body } : body,
    reply: isSchema(reply) ? { kind: 'json', status: 200, schema: reply } : reply,
    errors,
    access: table ?? (method === 'GET' ? 'read' : 'write'),
    files: files?.rights,
    validates,
    example,
  };
}

/** Whether its callers come with an app key, or with a token of one. */
export function hasAppKey({ authentication }: Route): boolean {
  return authentication === 'server' || authentication === 'app-key';
}

/** Whether a bearer token may stand for the key. */
export function takesTokens({ authentication }: Pick<Route, 'authentication'>): boolean {
  return authentication === 'server' || authentication === 'client';
}

/** Whether it is a page's call, or one with a token for a page's paths: those have less room, and a project may forbid them. */
export function isOfPage({ authentication }: Route, caller: Caller): boolean {
  return authentication === 'client' && isPage(caller);
}

/** What a token needs for it. */
export function scopeOf({ authentication, scope }: Pick<Route, 'authentication' | 'scope'>): PathScope {
  return scope ?? (authentication === 'client' ? 'client_api' : 'api');
}

/** Whether its callers are known, by a key, a token of one, or as managers: their calls are counted. */
export function isRateLimited({ authentication }: Route): boolean {
  return authentication !== 'none';
}

/** OAuth's routes do not: a kept reply would be a token in clear, and repeating them is harmless. */
export function takesIdempotencyKey(route: Route): boolean {
  return (route.method === 'POST' || route.method === 'PUT') && takesTokens(route) && route.access === 'write';
}

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { ClientSwitch } from '#kernel/access/projects/client-switches.ts';
import type { ClientScope, FamilyScope } from '#kernel/access/scopes.ts';
import type { ErrorKey } from '#kernel/core/errors.ts';
import type { FileAccess, FileRight } from '#kernel/core/files/access.ts';
import type { ReportAccess } from '#kernel/core/reports.ts';
import { text } from '#kernel/core/schema.ts';
import { type Caller, isBrowser } from './context.ts';

type Schema = v.GenericSchema;
type ObjectSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The content of a reply: JSON by a schema, nothing, or a picture in one of the named types. */
export type Reply =
  | {
      readonly kind: 'json';
      readonly status: 200 | 202;
      readonly schema: Schema;
      /** The schema of a 202, which accepts the work instead of doing it. */
      readonly accepted?: Schema;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'empty'; readonly status: 204 }
  | { readonly kind: 'image'; readonly status: 200; readonly types: readonly string[] };

/** Declares a reply without a body: 204. */
export const empty = { kind: 'empty', status: 204 } as const;

/** Declares JSON with another status than 200, or with additional headers. */
export function json<S extends Schema>(
  schema: S,
  { status = 200, headers = {} }: { status?: 200 | 202; headers?: Readonly<Record<string, string>> },
) {
  return { kind: 'json', status, schema, headers } as const;
}

/** Declares JSON that describes the completed work, or with 202 the planned work. */
export function orAccepted<S extends Schema, A extends Schema>(schema: S, accepted: A) {
  return { kind: 'json', status: 200, schema, accepted } as const;
}

interface PlainBody {
  readonly format: 'json' | 'form';
  readonly schema: Schema;
}

/**
 * Declares a form with a file (lib/kernel/http/upload.ts). It includes its reader, which only these operations load.
 */
interface FileBody {
  readonly format: 'file';
  readonly schema: Schema;
  /** The schemas of the body as a form and as JSON. */
  readonly form: Schema;
  readonly json: Schema;
  readonly read: (event: APIGatewayProxyEventV2) => Promise<unknown>;
}

export type Body = PlainBody | FileBody;

/** Declares a form-encoded body. */
export function form<const S extends Schema>(schema: S) {
  return { format: 'form', schema } as const;
}

/**
 * Decides who may call. `server` accepts the two app headers, or a bearer token with the scope `api` or the named
 * scope. `app-key` accepts only the two app headers. `client` accepts the two client headers from one of the key's
 * origins, or a bearer token with `client_api` or the named scope. `management` follows the deployment's guard. `none`
 * lets any caller in.
 */
export type Authentication = 'server' | 'app-key' | 'client' | 'management' | 'none';

/** The function's right to the table: no access, get single items, read anything, or read and write. */
export type TableAccess = 'none' | 'get' | 'read' | 'write';

/** A request that succeeds in the demo project, for the document and for the tests of all operations. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
}

/** An operation as its file describes it. */
export interface Description {
  /** The path. `{name}` is one segment, and `{name+}` is the rest. */
  readonly route: `${Method} /${string}`;
  /** The scope that opens the path to bearer tokens. Client paths have a `client_` scope. */
  readonly scope?: FamilyScope | ClientScope;
  /** The callers, if they are not `server`. */
  readonly caller?: Exclude<Authentication, 'server'>;
  /** The project's switch that lets browsers call this client path. */
  readonly clientSwitch?: ClientSwitch;
  /** Also lets servers call this client path with their keys. */
  readonly serverKeys?: true;
  /** The number of calls that a call of a browser counts for, before its body is checked. */
  readonly weight?: (event: APIGatewayProxyEventV2) => number;
  readonly summary: string;
  /** Describes for callers what the shapes do not show. */
  readonly note?: string;
  /** Describes the answer in a sentence. */
  readonly answers: string;
  /** Describes path parameters, if their names do not suffice. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: ObjectSchema;
  /** The body: JSON unless it is a `form` or a `csvUpload`. `ignored` accepts a JSON body without effect, which existing clients send. */
  readonly body?: Schema | Body | 'ignored';
  /** The reply. A schema means JSON with status 200. */
  readonly reply: Schema | Reply;
  /** The errors of this operation itself. `listRouteErrors` adds those that follow from its input. */
  readonly errors?: readonly ErrorKey[];
  /** The default is `read` for GET and `write` for other methods. */
  readonly table?: TableAccess;
  /** The access to files, if the operation stores or shows files. */
  readonly files?: FileAccess;
  /** The access to the engine of reports, if the operation queries it. */
  readonly reports?: ReportAccess;
  /** The log lines count validations for campaigns (`lib/engine/checkout/validations/tally.ts`). */
  readonly validates?: true;
  readonly example?: Example;
}

/** Returns the names of a path's parameters. */
export function paramsIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\+?\}/g)].flatMap(([, name]) => name ?? []);
}

/** Extracts the names of a path's parameters. */
export type ParamsOf<R extends string> = R extends `${string}{${infer P}}${infer Rest}`
  ? (P extends `${infer Q}+` ? Q : P) | ParamsOf<Rest>
  : never;

/** An operation with all defaults. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly authentication: Authentication;
  readonly scope: FamilyScope | ClientScope | undefined;
  readonly clientSwitch: ClientSwitch | undefined;
  readonly serverKeys: boolean;
  readonly weight: ((event: APIGatewayProxyEventV2) => number) | undefined;
  readonly summary: string;
  readonly note: string | undefined;
  readonly answers: string;
  readonly words: Readonly<Record<string, string>>;
  /** Schemas by path parameter. The gateway has percent-decoded the values. */
  readonly params: ObjectSchema | undefined;
  readonly query: ObjectSchema | undefined;
  readonly body: Body | 'ignored' | undefined;
  readonly reply: Reply;
  readonly errors: readonly ErrorKey[];
  readonly access: TableAccess;
  readonly files: readonly FileRight[] | undefined;
  /** The operation queries the engine of reports. */
  readonly asksReports: boolean;
  readonly validates: boolean;
  readonly example: Example;
}

/** The part of a route that decides which requests it gets. */
export type RequestLine = Pick<Route, 'method' | 'path'>;

export function listRequestLines({ method, path }: Route): RequestLine[] {
  return [{ method, path }];
}

function isSchema(value: object): value is Schema {
  return '~run' in value;
}

function methodOf(name: string | undefined): Method {
  if (name === 'GET' || name === 'POST' || name === 'PUT' || name === 'DELETE') return name;
  throw new Error(`${name} is not a method of a route`);
}

export function buildRoute(operation: Description): Route {
  const [verb, path = ''] = operation.route.split(' ');
  const {
    scope,
    caller,
    clientSwitch,
    serverKeys = false,
    params = {},
    body,
    reply,
    errors = [],
    table,
    files,
    reports,
    validates = false,
    example = {},
  } = operation;
  const method = methodOf(verb);
  if (scope !== undefined && scope.startsWith('client_') !== (caller === 'client')) {
    throw new Error(`${operation.route} can't be opened by ${scope}`);
  }
  const names = paramsIn(path);
  return {
    method,
    path,
    authentication: caller ?? 'server',
    scope,
    clientSwitch,
    serverKeys,
    weight: operation.weight,
    summary: operation.summary,
    note: operation.note,
    answers: operation.answers,
    words: params,
    params: names.length === 0 ? undefined : v.object(Object.fromEntries(names.map((name) => [name, text]))),
    query: operation.query,
    body: typeof body === 'object' && isSchema(body) ? { format: 'json', schema: body } : body,
    reply: isSchema(reply) ? { kind: 'json', status: 200, schema: reply } : reply,
    errors,
    access: table ?? (method === 'GET' ? 'read' : 'write'),
    files: files?.rights,
    asksReports: reports !== undefined,
    validates,
    example,
  };
}

/** Returns whether callers have an app key, or a token that was issued for such a key. */
export function hasAppKey({ authentication }: Route): boolean {
  return authentication === 'server' || authentication === 'app-key';
}

/** Returns whether the route accepts a bearer token instead of the key. */
export function canTakeTokens({ authentication }: Pick<Route, 'authentication'>): boolean {
  return authentication === 'server' || authentication === 'client';
}

/** Returns whether a browser calls, or a holder of a token for client paths. Such calls have less room, and a project may forbid them. */
export function isBrowserCall({ authentication }: Route, caller: Caller): boolean {
  return authentication === 'client' && isBrowser(caller);
}

/** Returns whether the caller is known, by a key, a token or as a manager. Calls of known callers are counted. */
export function isRateLimited({ authentication }: Route): boolean {
  return authentication !== 'none';
}

/** Returns whether replies are kept for repeats. Kept replies of OAuth would be plain tokens, and repeats are harmless. */
export function canTakeIdempotencyKey(route: Route): boolean {
  return (route.method === 'POST' || route.method === 'PUT') && canTakeTokens(route) && route.access === 'write';
}

import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import type { TokenItem } from '#kernel/access/tokens/token.ts';
import type { FileAccess } from '#kernel/core/files/access.ts';
import type { Files } from '#kernel/core/files/files.ts';
import { inProjectTime } from '#kernel/core/local-time.ts';
import type { ReportAccess, ReportEngine } from '#kernel/core/reports.ts';
import type { Table } from '#kernel/table/table.ts';
import { authenticate, authorize } from './authentication.ts';
import { createMetadataReplacer } from './browser-metadata.ts';
import { composeOnce, type Dependencies } from './composition.ts';
import type { Caller, Managing } from './context.ts';
import { answerOnce } from './idempotency.ts';
import { readInput } from './input.ts';
import { limitRate } from './limit-rate.ts';
import { limitTill } from './limit-till.ts';
import { type ImageAnswer, respond, serialise } from './reply.ts';
import { maxReplyBytes, pageTooLong, replyTooLong } from './reply-size.ts';
import { logRequests } from './request-log.ts';
import type { RequestScope } from './request-scope.ts';
import {
  type Body,
  buildRoute,
  type Description,
  isBrowserCall,
  type ParamsOf,
  type Reply,
  type Route,
} from './route.ts';
import { type Twin, twinOf } from './twin.ts';

/** Counts a character as six bytes, the most that it can need. */
const surelyFits = maxReplyBytes / 6;

/**
 * Rejects a reply that is too long. An operation that writes must check its reply before it commits, because a 400
 * after the commit would mean that nothing was done.
 */
function checkSize(route: Route, { body = '' }: APIGatewayProxyStructuredResultV2): void {
  if (body.length < surelyFits) return;
  if (Buffer.byteLength(JSON.stringify(body)) <= maxReplyBytes) return;
  const isOnlyRead = route.method === 'GET' || route.access !== 'write';
  if (route.query !== undefined && isOnlyRead) throw pageTooLong();
  if (route.body !== undefined && isOnlyRead) throw replyTooLong('request fewer objects in one call');
  throw new Error(`a reply has more than ${maxReplyBytes} bytes, and its operation did not see that ahead`);
}

/** Browsers see only the metadata that the project lists. */
function replacerFor(route: Route, { caller }: RequestScope) {
  return caller && isBrowserCall(route, caller) ? createMetadataReplacer(caller.project.clientMetadata) : undefined;
}

type OutputOf<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;

type BodyOf<B> = B extends v.GenericSchema ? v.InferOutput<B> : B extends Body ? OutputOf<B['schema']> : undefined;

type AnswerOf<R> = R extends v.GenericSchema
  ? v.InferInput<R>
  : R extends { schema: infer S extends v.GenericSchema }
    ? v.InferInput<S> | (R extends { accepted: infer A extends v.GenericSchema } ? v.InferInput<A> : never)
    : R extends { kind: 'image' }
      ? ImageAnswer
      : R extends Reply
        ? unknown
        : never;

/** Finds projects, keys and tokens in this container's cache, or in the table. */
interface Credentials {
  findProject: (id: string) => Promise<Project | undefined>;
  forgetProject: (id: string) => void;
  /** Returns whether a token has not expired and its key is active. */
  isActive: (token: TokenItem) => Promise<boolean>;
  forgetToken: (accessToken: string) => void;
}

/** The call of a use case: checked input, the table, the time, and the caller if the operation has any. */
export type Call<D extends Description> = {
  params: Record<ParamsOf<D['route']>, string>;
  query: OutputOf<D['query']>;
  body: BodyOf<D['body']>;
  event: APIGatewayProxyEventV2;
  table: Table;
  now: Date;
  /** The address of this API, without a slash at the end. */
  baseUrl: string;
  requestId: string;
  /** Adds fields to the request's log line. */
  note: (fields: Readonly<Record<string, unknown>>) => void;
  credentials: Credentials;
} & (D['caller'] extends 'none'
  ? unknown
  : D['caller'] extends 'management'
    ? Pick<Managing, 'manager' | 'eventTargets'>
    : { project: Project; caller: Caller }) &
  (D extends { files: FileAccess } ? { files: Files } : unknown) &
  (D extends { reports: ReportAccess } ? { reports: ReportEngine | undefined } : unknown);

export type LambdaHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export type Endpoint = LambdaHandler & {
  readonly route: Route;
  /** Returns the same endpoint with other dependencies than the environment's. */
  readonly with: (dependencies: Dependencies) => LambdaHandler;
  /** Returns the operation under a second path, with the parameters of the first path and further parameters. */
  readonly twin: (own: Twin) => Endpoint;
};

/**
 * Wraps one endpoint: log, error body, credentials, rate limit, scopes, the till's limit, input, use case, reply, in this order. The
 * endpoint's file describes it and calls one use case.
 */
export function operation<const D extends Description>(
  description: D,
  useCase: (call: Call<D>) => Promise<AnswerOf<D['reply']>>,
): Endpoint {
  return endpoint<D>(description, useCase);
}

/** `description` is `D`, or its twin. */
function endpoint<D extends Description>(
  description: Description,
  useCase: (call: Call<D>) => Promise<AnswerOf<D['reply']>>,
): Endpoint {
  const route = buildRoute(description);
  let opened: Files | undefined;
  let asked: ReportEngine | undefined;
  const filesOf = ({ files }: Dependencies): Files | undefined => {
    opened ??= description.files?.open(process.env);
    return files ?? opened;
  };

  const reportsOf = ({ reports }: Dependencies): ReportEngine | undefined => {
    asked ??= description.reports?.open(process.env);
    return reports ?? asked;
  };

  function bind(dependencies: () => Dependencies): LambdaHandler {
    const callOf = (
      { input, table, now, baseUrl, requestId, caller, manager, notes }: RequestScope,
      event: APIGatewayProxyEventV2,
    ) => ({
      ...input,
      event,
      table,
      now,
      baseUrl,
      requestId,
      note: (fields: Readonly<Record<string, unknown>>) => Object.assign(notes, fields),
      credentials: {
        findProject: (id: string) => dependencies().credentialCache.project(table, id, now),
        forgetProject: (id: string) => dependencies().credentialCache.forgetProject(id),
        isActive: (token: TokenItem) => dependencies().credentialCache.isActive(table, token, now),
        forgetToken: (accessToken: string) => dependencies().credentialCache.forgetToken(accessToken),
      },
      ...(caller ? { caller, project: caller.project, now: inProjectTime(now, caller.project) } : {}),
      ...(manager ? { manager, eventTargets: dependencies().eventTargets } : {}),
      ...(description.files ? { files: filesOf(dependencies()) } : {}),
      ...(description.reports ? { reports: reportsOf(dependencies()) } : {}),
    });
    return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Error, Context, { scope: RequestScope }>()
      .use(logRequests(route, dependencies))
      .use(respond())
      .use(authenticate(route, dependencies))
      .use(limitRate(route, dependencies))
      .use(authorize(route))
      .use(limitTill(route, dependencies))
      .use(readInput(route))
      .use({
        before: ({ event, internal }) => {
          Object.assign(event, { call: callOf(internal.scope, event), scope: internal.scope });
        },
      })
      .handler((event: APIGatewayProxyEventV2 & { call: Call<D>; scope: RequestScope }) =>
        answerOnce(route, event, event.scope, async () => {
          const reply = serialise(route.reply, await useCase(event.call), replacerFor(route, event.scope));
          checkSize(route, reply);
          return reply;
        }),
      );
  }

  const handler = bind(composeOnce);
  return Object.assign(handler, {
    route,
    with: (dependencies: Dependencies) => bind(() => dependencies),
    twin: (own: Twin) => endpoint<D>(twinOf(description, own), useCase),
  });
}

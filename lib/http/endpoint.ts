import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type * as v from 'valibot';
import { compose, type Dependencies } from '../composition.ts';
import type { Table } from '../dynamodb.ts';
import type { Manager } from '../management/manager.ts';
import type { Project } from '../projects/project.ts';
import type { Reply, Route } from '../routes/route.ts';
import type { TokenItem } from '../tokens/token.ts';
import { authenticate, authorize } from './authentication.ts';
import { answerOnce } from './idempotency.ts';
import { readInput } from './input.ts';
import { limitRate } from './rate-limit.ts';
import { checkSize, type ImageAnswer, respond, serialise } from './reply.ts';
import { requestLog } from './request-log.ts';
import type { Caller, Scope } from './scope.ts';

type OutputOf<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined;

type AnswerOf<R extends Reply> = R extends { schema: infer S extends v.GenericSchema }
  ? v.InferInput<S>
  : R extends { kind: 'image' }
    ? ImageAnswer
    : unknown;

/** What this container knows of projects, keys and tokens, and reads where it does not. */
export interface Credentials {
  findProject: (id: string) => Promise<Project | undefined>;
  /** Whether a token is in time and its key is on. */
  isActive: (token: TokenItem) => Promise<boolean>;
  forgetToken: (accessToken: string) => void;
}

/** What a use case is called with: checked input, the table, the time, and the caller where the route asks for one. */
export type Call<R extends Route> = {
  params: OutputOf<R['params']>;
  query: OutputOf<R['query']>;
  body: R['body'] extends { schema: infer S } ? OutputOf<S> : undefined;
  event: APIGatewayProxyEventV2;
  table: Table;
  now: Date;
  /** Where this API is reached, without a slash at the end. */
  baseUrl: string;
  credentials: Credentials;
} & (R['authentication'] extends 'none'
  ? unknown
  : R['authentication'] extends 'management'
    ? { manager: Manager }
    : { project: Project; caller: Caller });

export type LambdaHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export type Endpoint = LambdaHandler & {
  readonly operation: string;
  readonly route: Route;
  /** The same endpoint with other dependencies than the environment's. */
  readonly with: (dependencies: Dependencies) => LambdaHandler;
};

/**
 * The wrapper of every endpoint: log, error body, credentials, rate limit, input, use case, reply, in this order. A handler
 * names its route and calls one use case.
 */
export function endpoint<T extends { [K in keyof T]: Route }, N extends keyof T & string>(
  routes: T,
  operation: N,
  useCase: (call: Call<T[N]>) => Promise<AnswerOf<T[N]['reply']>>,
): Endpoint {
  const route: Route = routes[operation];

  function bind(dependencies: () => Dependencies): LambdaHandler {
    const callOf = ({ input, table, now, baseUrl, caller, manager }: Scope, event: APIGatewayProxyEventV2) => ({
      ...input,
      event,
      table,
      now,
      baseUrl,
      credentials: {
        findProject: (id: string) => dependencies().credentialCache.project(table, id, now),
        isActive: (token: TokenItem) => dependencies().credentialCache.isActive(table, token, now),
        forgetToken: (accessToken: string) => dependencies().credentialCache.forgetToken(accessToken),
      },
      ...(caller ? { caller, project: caller.project } : {}),
      ...(manager ? { manager } : {}),
    });
    return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Error, Context, { scope: Scope }>()
      .use(requestLog(operation, route, dependencies))
      .use(respond())
      .use(authenticate(route, dependencies))
      .use(limitRate(dependencies))
      .use(authorize(route))
      .use(readInput(route))
      .use({
        before: ({ event, internal }) => {
          Object.assign(event, { call: callOf(internal.scope, event), scope: internal.scope });
        },
      })
      .handler((event: APIGatewayProxyEventV2 & { call: Call<T[N]>; scope: Scope }) =>
        answerOnce(route, event, event.scope, async () => {
          const reply = serialise(route.reply, await useCase(event.call));
          checkSize(route, reply);
          return reply;
        }),
      );
  }

  let composed: Dependencies | undefined;
  const handler = bind(() => {
    composed ??= compose(process.env);
    return composed;
  });
  return Object.assign(handler, { operation, route, with: (dependencies: Dependencies) => bind(() => dependencies) });
}

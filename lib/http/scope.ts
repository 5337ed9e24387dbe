import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Dependencies } from '../composition.ts';
import { Table } from '../dynamodb.ts';
import type { ErrorKey } from '../errors.ts';
import type { Manager } from '../management/manager.ts';
import type { Project } from '../projects/project.ts';
import { requestTimeLimit } from '../time-limit.ts';
import type { Scope as TokenScope } from '../tokens/scopes.ts';

/** Who calls, as the credentials tell. */
export interface Caller {
  project: Project;
  appId: string;
  /** What the app key is called. */
  appName: string;
  /** What a bearer token opens; the two app headers open everything. */
  scopes?: readonly TokenScope[];
}

/** What belongs to one request, from the first middleware to the last. */
export interface Scope {
  readonly requestId: string;
  readonly now: Date;
  readonly table: Table;
  readonly baseUrl: string;
  caller?: Caller;
  manager?: Manager;
  input: { params: unknown; query: unknown; body: unknown };
  /** Go with whatever is answered. */
  readonly replyHeaders: Record<string, string>;
  errorKey?: ErrorKey;
  /** What went wrong behind an `internal_error`, or behind an answer without harm to it: for the log, never for the caller. */
  cause?: unknown;
}

export type Step = middy.MiddlewareObj<
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Error,
  Context,
  { scope: Scope }
>;

export function openScope(
  event: APIGatewayProxyEventV2,
  { getRemainingTimeInMillis }: Context,
  dependencies: Dependencies,
): Scope {
  const { clock, dynamodb, tableName, patienceInMs } = dependencies;
  const now = clock();
  const scheme = event.headers['x-forwarded-proto'] === 'http' ? 'http' : 'https';
  const { requestId } = event.requestContext;
  return {
    requestId,
    now,
    table: new Table(dynamodb, tableName, now, { patienceInMs, limit: requestTimeLimit(getRemainingTimeInMillis()) }),
    baseUrl: `${scheme}://${event.requestContext.domainName}`,
    input: { params: {}, query: {}, body: undefined },
    replyHeaders: { 'X-Request-Id': requestId },
  };
}

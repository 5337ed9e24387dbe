import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Manager } from '#kernel/access/users/manager.ts';
import type { ErrorKey, RefusalReason } from '#kernel/core/errors.ts';
import { capacityPatienceInMs, limitRequestTime } from '#kernel/table/capacity.ts';
import type { Table } from '#kernel/table/table.ts';
import type { Dependencies } from './composition.ts';
import type { Caller } from './context.ts';
import { readDistributionHeaders } from './distribution.ts';
import { RequestTable } from './request-table.ts';

/** Identifies the caller for counts and idempotency keys. No app id begins like the id of a client key here. */
export function nameCaller({ appId, origin }: Caller): string {
  return origin === undefined ? appId : `client\n${appId}`;
}

/** The state of one request, from the first middleware to the last. */
export interface RequestScope {
  readonly requestId: string;
  readonly now: Date;
  readonly table: Table;
  readonly baseUrl: string;
  caller?: Caller;
  manager?: Manager;
  input: { params: unknown; query: unknown; body: unknown };
  /** Fields that the use case adds to the log line: ids and numbers, never codes or texts of a caller. */
  readonly notes: Record<string, unknown>;
  /** The headers of any reply to this request. */
  readonly replyHeaders: Record<string, string>;
  errorKey?: ErrorKey;
  refusalReason?: RefusalReason | undefined;
  /**
   * The cause of an `internal_error`, or a failure that did not change the answer. It is for the log, never for the
   * caller.
   */
  cause?: unknown;
}

export type Middleware = middy.MiddlewareObj<
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Error,
  Context,
  { scope: RequestScope }
>;

export function openScope(
  event: APIGatewayProxyEventV2,
  { getRemainingTimeInMillis }: Context,
  dependencies: Dependencies,
): RequestScope {
  const { clock, dynamodb, tableName, patienceInMs, distributionProof } = dependencies;
  const ofCapacity = dependencies.capacityPatienceInMs ?? capacityPatienceInMs;
  const now = clock();
  const scheme = event.headers['x-forwarded-proto'] === 'http' ? 'http' : 'https';
  const { requestId } = event.requestContext;
  return {
    requestId,
    now,
    table: new RequestTable({ id: requestId, at: now.toISOString() }, dynamodb, tableName, now, {
      patienceInMs,
      capacityPatienceInMs: Math.min(ofCapacity, patienceInMs ?? ofCapacity),
      limit: limitRequestTime(getRemainingTimeInMillis()),
    }),
    baseUrl: `${scheme}://${readDistributionHeaders(event, distributionProof)?.host ?? event.requestContext.domainName}`,
    input: { params: {}, query: {}, body: undefined },
    notes: {},
    replyHeaders: { 'X-Request-Id': requestId },
  };
}

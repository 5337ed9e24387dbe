import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { expect } from 'vitest';
import { grantOf, permissionsOf } from '../../infra/table-grants.ts';
import type { Dependencies } from '../../lib/composition.ts';
import { type ErrorKey, errorCatalogue } from '../../lib/errors.ts';
import type { Endpoint } from '../../lib/http/endpoint.ts';
import { routes } from '../../lib/routes/index.ts';
import { errorsOf, type Route } from '../../lib/routes/route.ts';
import { apiEvent, type Request } from './api-event.ts';
import { testDependencies } from './dependencies.ts';
import { watched } from './permissions.ts';

export interface Reply {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies whose schema `checkReply` has already checked.
  body: any;
}

const errorBody = v.strictObject({
  code: v.number(),
  key: v.string(),
  message: v.string(),
  details: v.string(),
  request_id: v.string(),
  resource_id: v.optional(v.string()),
  resource_type: v.optional(v.string()),
});

/** Whatever comes back is what the route promises: its schema and no more, or the one error body with a key of its own. */
export function checkReply(route: Route, requestId: string, reply: Reply): void {
  expect(reply.headers['X-Request-Id']).toBe(requestId);
  if (reply.status === route.reply.status) {
    if (route.reply.kind === 'json') expect(v.parse(route.reply.schema, reply.body)).toEqual(reply.body);
    return;
  }
  const error = v.parse(errorBody, reply.body);
  expect(errorsOf(route)).toContain(error.key);
  expect(error).toMatchObject({
    code: reply.status,
    message: errorCatalogue[error.key as ErrorKey].message,
    request_id: requestId,
  });
  expect(reply.status).toBe(errorCatalogue[error.key as ErrorKey].status);
}

/** More than a function has: a machine that runs much else besides is slow now and then, and no test is about that. */
const context = { getRemainingTimeInMillis: () => 60_000 } as Context;

/**
 * Calls an endpoint as the gateway would, in one container for all calls, and checks each reply against its route. It may do
 * to the table what the stack lets it do; an endpoint that a test has made for itself is in no stack.
 */
export function caller(handler: Endpoint, dependencies: Dependencies = testDependencies()) {
  const isDeployed = Object.hasOwn(routes, handler.operation);
  const granted = isDeployed ? permissionsOf(grantOf(handler.operation)) : [];
  const dynamodb = watched(dependencies.dynamodb, (permission) => {
    if (isDeployed && !granted.includes(permission))
      throw new Error(`${handler.operation} has no ${permission} when deployed`);
  });
  const bound = handler.with({ ...dependencies, dynamodb });
  return async (request: Request): Promise<Reply> => {
    const event = apiEvent(handler.route, request);
    const { statusCode = 0, headers = {}, body = '', isBase64Encoded } = await bound(event, context);
    const reply = {
      status: statusCode,
      headers: headers as Record<string, string>,
      body: isBase64Encoded ? Buffer.from(body, 'base64') : body && JSON.parse(body),
    };
    checkReply(handler.route, event.requestContext.requestId, reply);
    return reply;
  };
}

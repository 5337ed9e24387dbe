import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { expect } from 'vitest';
import { mustHold } from '#engine/checkout/request/state-refusal.ts';
import { type ErrorKey, errorCatalogue, giftCardMessages } from '#kernel/core/errors.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import type { Route } from '#kernel/http/route.ts';
import { listRouteErrors } from '#kernel/http/route-errors.ts';
import { deriveGrant } from '../../infra/aws/table-grants.ts';
import { apiEvent, type Request } from './api-event.ts';
import { bundleOf } from './bundled.ts';
import { testDependencies } from './dependencies.ts';
import { allows, isLeadingKey, watched, watchedFiles } from './permissions.ts';

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
  related_object_ids: v.optional(v.array(v.string())),
  related_object_type: v.optional(v.string()),
  redeemable_id: v.optional(v.string()),
  redeemable_type: v.optional(v.string()),
  error: v.optional(v.object({ message: v.string() })),
});

/** Checks that a reply matches its route: exactly its schema, or the one error body with an error key of the route. */
export function checkReply(route: Route, requestId: string, reply: Reply): void {
  expect(reply.headers['X-Request-Id']).toBe(requestId);
  if (reply.status === route.reply.status) {
    if (route.reply.kind === 'json') expect(v.parse(route.reply.schema, reply.body)).toEqual(reply.body);
    return;
  }
  if (reply.status === 202 && route.reply.kind === 'json' && route.reply.accepted) {
    expect(v.parse(route.reply.accepted, reply.body)).toEqual(reply.body);
    return;
  }
  const error = v.parse(errorBody, reply.body);
  expect(listRouteErrors(route)).toContain(error.key);
  const key = error.key as ErrorKey;
  const { status, message } = errorCatalogue[key];
  expect(error).toMatchObject({ code: reply.status, request_id: requestId });
  expect([message, giftCardMessages[key], key === 'invalid_customer' ? mustHold : undefined]).toContain(error.message);
  expect(reply.status).toBe(status);
}

/** A busy machine is slow at times, so a call has more time than a function. Few tests are about time. */
const amplyInMs = 60_000;

export function lambdaContext(remainingInMs = amplyInMs): Context {
  return { getRemainingTimeInMillis: () => remainingInMs } as Context;
}

/**
 * Calls an endpoint as the gateway does, in one container for all calls. Checks each reply against its route, and each use of the table
 * against the stack's permissions.
 */
export function caller(
  handler: Endpoint,
  dependencies: Dependencies = testDependencies(),
  context: Context = lambdaContext(),
) {
  const { method, path } = handler.route;
  const grant = deriveGrant(handler.route);
  const dynamodb = watched(
    dependencies.dynamodb,
    (permission) => {
      if (!allows(grant, permission)) throw new Error(`${method} ${path} has no ${permission} when deployed`);
    },
    (key) => {
      if (grant.keys && !grant.keys.some((pattern) => isLeadingKey(pattern, key)))
        throw new Error(`${method} ${path} may not touch ${key} when deployed`);
    },
    grant,
  );
  const rights = handler.route.files ?? [];
  const files =
    dependencies.files &&
    watchedFiles(dependencies.files, (right) => {
      if (!rights.includes(right)) throw new Error(`${method} ${path} has no right to ${right} when deployed`);
    });
  const bundled = bundleOf(handler.route);
  const bound = bundled
    ? // Its commands have no names that could be watched.
      bundled.handler.with({ ...dependencies, dynamodb: bundled.newClient() })
    : handler.with({ ...dependencies, ...(files ? { files } : {}), dynamodb });
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

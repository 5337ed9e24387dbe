import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as v from 'valibot';
import { errorCatalogue, ServiceError } from '#kernel/core/errors.ts';
import { listFaultPaths } from '#kernel/core/issues.ts';
import { AmbiguousWriteError, isTransient, tooContended } from '#kernel/table/conflicts.ts';
import type { Middleware } from './request-scope.ts';
import type { Reply } from './route.ts';

export interface ImageAnswer {
  type: string;
  bytes: Buffer;
}

const json = { 'Content-Type': 'application/json; charset=utf-8' };

/**
 * Shows only the fields of the schema. An answer that does not fit is a 500. The log names the places and never the values, which may be
 * codes or tokens.
 */
function checked<S extends v.GenericSchema>(schema: S, answer: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, answer);
  if (result.success) return result.output;
  throw new Error(`the answer does not fit the reply at ${listFaultPaths(result.issues)}`);
}

/** Writes a reply. `replacer` replaces values in its JSON, as for `JSON.stringify`. */
export function serialise(
  reply: Reply,
  answer: unknown,
  replacer?: (this: unknown, key: string, value: unknown) => unknown,
): APIGatewayProxyStructuredResultV2 {
  switch (reply.kind) {
    case 'json': {
      const isAccepted = reply.accepted !== undefined && v.is(reply.accepted, answer);
      return {
        statusCode: isAccepted ? 202 : reply.status,
        headers: { ...json, ...reply.headers },
        body: JSON.stringify(checked(isAccepted ? reply.accepted : reply.schema, answer), replacer),
      };
    }
    case 'empty':
      return { statusCode: reply.status };
    case 'image': {
      const { type, bytes } = checked(v.object({ type: v.picklist(reply.types), bytes: v.instance(Buffer) }), answer);
      return {
        statusCode: reply.status,
        headers: {
          'Content-Type': type,
          'X-Content-Type-Options': 'nosniff',
          // The picture of an id never changes.
          'Cache-Control': 'public, max-age=31536000, immutable',
          Vary: 'Accept',
        },
        body: bytes.toString('base64'),
        isBase64Encoded: true,
      };
    }
  }
}

/** Writes the error body. Quotes of a caller's texts are well-formed Unicode. */
export function writeErrorReply(error: ServiceError, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { status, message } = errorCatalogue[error.key];
  const { details, resource, related, redeemable, text = message, words } = error;
  return {
    statusCode: status,
    headers: { ...json, ...error.headers },
    body: JSON.stringify({
      code: status,
      key: error.key,
      message: text,
      details: details.toWellFormed(),
      request_id: requestId,
      ...(resource ? { resource_id: resource.id.toWellFormed(), resource_type: resource.type } : {}),
      ...(related ? { related_object_ids: related.ids, related_object_type: related.type } : {}),
      ...(redeemable ? { redeemable_id: redeemable.id.toWellFormed(), redeemable_type: redeemable.type } : {}),
      ...(words === undefined ? {} : { error: { message: words } }),
    }),
  };
}

function unexpected(): ServiceError {
  return new ServiceError('internal_error', { details: 'try again; if it lasts, report the request id' });
}

/** A write has no answer. The caller must not assume that it was committed or refused. */
function outcomeUnknown(): ServiceError {
  return new ServiceError('outcome_unknown', {
    details:
      'the request may have been carried out, or may be within minutes. Repeat it with the same Idempotency-Key; without a key, read the resource first',
  });
}

function answerFor(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof AmbiguousWriteError) return outcomeUnknown();
  return isTransient(error) ? tooContended(error) : unexpected();
}

/** Turns any failure into the error body, and adds the request's headers to every reply. */
export function respond(): Middleware {
  const addHeaders: NonNullable<Middleware['after']> = ({ response, internal }) => {
    if (response) response.headers = { ...response.headers, ...internal.scope.replyHeaders };
  };
  return {
    after: addHeaders,
    onError: (request) => {
      const { error, internal } = request;
      // Without a scope the function is not configured. The reply contains no details, and the log contains all.
      if (!internal.scope) throw error;
      const known = error instanceof ServiceError;
      const answered = answerFor(error);
      if (!known) internal.scope.cause = error;
      internal.scope.errorKey = answered.key;
      internal.scope.refusalReason = answered.reason;
      request.response = writeErrorReply(answered, internal.scope.requestId);
      addHeaders(request);
    },
  };
}

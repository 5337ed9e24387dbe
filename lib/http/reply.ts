import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as v from 'valibot';
import { isPassing, tooCrowded } from '../conflicts.ts';
import { errorCatalogue, ServiceError } from '../errors.ts';
import type { Reply } from '../routes/route.ts';
import { placesOf } from '../schema.ts';
import type { Step } from './scope.ts';

export interface ImageAnswer {
  type: string;
  bytes: Buffer;
}

const json = { 'Content-Type': 'application/json; charset=utf-8' };

/** Only what the schema names leaves the service; an answer that does not fit it is our mistake, and a 500. The places
 * that do not fit go into the log, the values, which may be codes or tokens, do not. */
function checked<S extends v.GenericSchema>(schema: S, answer: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, answer);
  if (result.success) return result.output;
  throw new Error(`the answer does not fit the reply at ${placesOf(result.issues)}`);
}

export function serialise(reply: Reply, answer: unknown): APIGatewayProxyStructuredResultV2 {
  switch (reply.kind) {
    case 'json':
      return {
        statusCode: reply.status,
        headers: { ...json, ...reply.headers },
        body: JSON.stringify(checked(reply.schema, answer)),
      };
    case 'empty':
      return { statusCode: reply.status };
    case 'image': {
      const { type, bytes } = checked(v.object({ type: v.picklist(reply.types), bytes: v.instance(Buffer) }), answer);
      return {
        statusCode: reply.status,
        // The id in the path fixes the picture for ever.
        headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept' },
        body: bytes.toString('base64'),
        isBase64Encoded: true,
      };
    }
  }
}

/** The one error body. */
export function errorReply(error: ServiceError, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { status, message } = errorCatalogue[error.key];
  return {
    statusCode: status,
    headers: { ...json, ...error.headers },
    body: JSON.stringify({
      code: status,
      key: error.key,
      message,
      details: error.details,
      request_id: requestId,
      ...(error.resource ? { resource_id: error.resource.id, resource_type: error.resource.type } : {}),
    }),
  };
}

function unexpected(): ServiceError {
  return new ServiceError('internal_error', { details: 'try again; if it lasts, report the request id' });
}

/** The one error body for whatever is thrown, and on every reply the headers that the request has gathered. */
export function respond(): Step {
  const addHeaders: NonNullable<Step['after']> = ({ response, internal }) => {
    if (response) response.headers = { ...response.headers, ...internal.scope.replyHeaders };
  };
  return {
    after: addHeaders,
    onError: (request) => {
      const { error, internal } = request;
      // Without a scope the function is not configured: its caller can be told nothing, its log everything.
      if (!internal.scope) throw error;
      const known = error instanceof ServiceError;
      const told = known ? error : isPassing(error) ? tooCrowded() : unexpected();
      if (!known) internal.scope.cause = error;
      internal.scope.errorKey = told.key;
      request.response = errorReply(told, internal.scope.requestId);
      addHeaders(request);
    },
  };
}

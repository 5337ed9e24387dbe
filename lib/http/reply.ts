import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as v from 'valibot';
import { isPassing, tooCrowded } from '../conflicts.ts';
import { errorCatalogue, ServiceError } from '../errors.ts';
import type { Reply, Route } from '../routes/route.ts';
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

/** Lambda replies with 6 MB: JSON, in which a body is a text with its quotes escaped. */
const maxReplyBytes = 6_000_000;
/** A character takes six bytes there at most. */
const surelyFits = maxReplyBytes / 6;

/** A page of long items may be more than a reply holds; its caller can ask for a shorter one. */
export function checkSize(route: Route, { body = '' }: APIGatewayProxyStructuredResultV2): void {
  if (route.query === undefined || body.length < surelyFits) return;
  if (Buffer.byteLength(JSON.stringify(body)) <= maxReplyBytes) return;
  throw new ServiceError('invalid_query_params', {
    details: `limit must be smaller: the page is longer than the ${maxReplyBytes} bytes that a reply has`,
  });
}

/** The one error body. What it tells of a caller's own texts is Unicode, even where they were not. */
export function errorReply(error: ServiceError, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { status, message } = errorCatalogue[error.key];
  const { details, resource } = error;
  return {
    statusCode: status,
    headers: { ...json, ...error.headers },
    body: JSON.stringify({
      code: status,
      key: error.key,
      message,
      details: details.toWellFormed(),
      request_id: requestId,
      ...(resource ? { resource_id: resource.id.toWellFormed(), resource_type: resource.type } : {}),
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

import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type ErrorKey, errorCatalogue, ServiceError } from '#kernel/core/errors.ts';
import { digestPart } from '#kernel/table/keys.ts';
import { IdempotencyRecord, idempotencyRecords, type RequestOutcome } from './idempotency-record.ts';
import { nameCaller, type RequestScope } from './request-scope.ts';
import { canTakeIdempotencyKey, type Route } from './route.ts';
import { createSeal } from './seal.ts';

type Result = APIGatewayProxyStructuredResultV2;

export const maxKeyLength = 255;

/**
 * Returns the digest of a request. It uses decoded path values, so that a different encoding does not make a different
 * request.
 */
function digestOf(
  route: Route,
  { pathParameters, rawQueryString, body = '', isBase64Encoded }: APIGatewayProxyEventV2,
) {
  const params = Object.entries(pathParameters ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([route.method, route.path, params, rawQueryString]))
    .update(isBase64Encoded ? Buffer.from(body, 'base64') : body)
    .digest('base64url');
}

/** Returns the refusal that repeats of the request get. `undefined` means that nothing was done, so that a repeat may try again. */
function outcomeOf(error: unknown): RequestOutcome | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const { key, details, text, resource, headers } = error;
  if (errorCatalogue[key].status >= 500 || key === 'too_many_requests') return undefined;
  return { refusal: { key, details, text, headers, ...(resource ? { resource } : {}) } };
}

/**
 * Errors about the key itself, which another request holds. In this case this request has nothing to store or to free.
 */
const aboutTheKey: readonly ErrorKey[] = ['idempotency_key_in_use', 'idempotency_reply_lost'];

function replay(outcome: RequestOutcome, scope: RequestScope): Result {
  scope.replyHeaders['Idempotent-Replayed'] = 'true';
  if ('reply' in outcome) return outcome.reply;
  const { key, details, text, resource, headers } = outcome.refusal;
  throw new ServiceError(key, { details, text, headers, ...(resource ? { resource } : {}) });
}

/**
 * Answers a request with an `Idempotency-Key` once, and its repeats with the same answer, for 24 hours and by app key. The use case's
 * commit (`Table.commit`) happens once even if the process dies right after it.
 */
export async function answerOnce(
  route: Route,
  event: APIGatewayProxyEventV2,
  scope: RequestScope,
  answer: () => Promise<Result>,
): Promise<Result> {
  const { caller, table, now } = scope;
  const idempotencyKey = event.headers['idempotency-key'];
  if (!canTakeIdempotencyKey(route) || !caller || idempotencyKey === undefined) return answer();
  if (idempotencyKey === '' || idempotencyKey.length > maxKeyLength) {
    throw new ServiceError('invalid_idempotency_key', {
      details: `Idempotency-Key must have 1 to ${maxKeyLength} characters`,
    });
  }
  const record = new IdempotencyRecord(
    table,
    idempotencyRecords(caller.project.id, nameCaller(caller), digestPart(idempotencyKey)),
    now,
    createSeal(caller.project.replyKey, idempotencyKey),
  );
  const before = await record.claim(digestOf(route, event));
  if (before) return replay(before, scope);

  table.commitWith(record.effect);
  /** The answer is valid even if it cannot be stored. The failure is logged. */
  const noteFailure = (error: unknown) => {
    scope.cause = error;
  };
  try {
    const { statusCode, headers, body } = await answer();
    const reply = { statusCode, headers, body };
    table.openReserve();
    await record.keep({ reply }).catch(noteFailure);
    return reply;
  } catch (error) {
    if (error instanceof ServiceError && aboutTheKey.includes(error.key)) throw error;
    const outcome = outcomeOf(error);
    table.openReserve();
    await (outcome ? record.keep(outcome) : record.release()).catch(noteFailure);
    throw error;
  }
}

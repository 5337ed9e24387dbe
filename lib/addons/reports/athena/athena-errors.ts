import type { QueryExecutionStatus } from '@aws-sdk/client-athena';
import { ServiceError } from '#kernel/core/errors.ts';

/** Explains why Athena did not complete a query, and what to change. */

/** Athena gives these reasons only as text. */
const tooLarge = /bytes scanned limit|exhausted resources|query time(?:d )?out|exceeded .*(?:memory|time) limit/i;

function refuseLarge(): ServiceError {
  const details =
    'the query would read more facts than a query of this deployment may: ask for fewer days, or for one campaign_id';
  return new ServiceError('report_too_large', { details });
}

function refuseCanceled(): ServiceError {
  const details = 'the query was canceled in Athena: request the report again';
  return new ServiceError('report_canceled', { details });
}

/** Returns the error of a query that can never succeed, or `undefined` if another attempt may. */
export function findLastingError({
  State,
  StateChangeReason = '',
  AthenaError,
}: QueryExecutionStatus): Error | undefined {
  const reason = `${StateChangeReason} ${AthenaError?.ErrorMessage ?? ''}`;
  if (tooLarge.test(reason)) return refuseLarge();
  if (State === 'CANCELLED') return refuseCanceled();
  if (AthenaError?.Retryable || AthenaError?.ErrorCategory === 1) return undefined;
  // A pack removes replaced files after an hour. The contents of a missing file are in another file.
  if (/NoSuchKey|HIVE_CANNOT_OPEN_SPLIT/.test(reason)) return undefined;
  return new Error(`Athena failed: ${reason.trim()}`);
}

const throttles = ['TooManyRequestsException', 'ThrottlingException'];

/** Returns the refusal of a call that was throttled. The client has repeated the call before. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || !throttles.includes(error.name)) return error;
  const details = 'Athena accepts no further queries of this account now: try again later, or request as_file';
  return new ServiceError('too_many_requests', { details, reason: 'capacity', headers: { 'retry-after': '5' } });
}

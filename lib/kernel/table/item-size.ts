import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { ServiceError } from '#kernel/core/errors.ts';

const aboutSize = /item size/i;

/** Turns DynamoDB's refusal of a too large item into the caller's error. Only DynamoDB knows the size after a merge. */
export function explainItemSize(error: unknown, what: string): unknown {
  if (!isAboutSize(error)) return error;
  return new ServiceError('invalid_payload', {
    details: `${what} larger than the 400 KB that DynamoDB stores in an item`,
  });
}

function isAboutSize(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    const reasons = error.CancellationReasons ?? [];
    return reasons.some(({ Code, Message = '' }) => Code === 'ValidationError' && aboutSize.test(Message));
  }
  return error instanceof Error && error.name === 'ValidationException' && aboutSize.test(error.message);
}

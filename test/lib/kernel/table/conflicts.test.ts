import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '#kernel/core/errors.ts';
import { again, NoCapacityError, retryOptimistically } from '#kernel/table/conflicts.ts';

const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
const patient = { patienceInMs: 30_000 };
const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

describe('work that others interrupt', () => {
  test('is attempted until it gives an answer, and waits out conflicts and a busy table', async () => {
    const outcomes = [again, cancelled('None', 'TransactionConflict'), throttled, again, 'answer'];
    const answer = await retryOptimistically(patient, async () => {
      const outcome = outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      return outcome ?? again;
    });
    expect([answer, outcomes]).toEqual(['answer', []]);
  });

  const others = 'other requests keep changing the same resource; nothing was changed, try again';
  const noCapacity = 'the table has no capacity at the moment; nothing was changed, try again';
  test.each([
    ['nothing', undefined, others],
    ['a conflict', cancelled('TransactionConflict'), others],
    ['a throttled transaction', cancelled('None', 'ThrottlingError'), noCapacity],
    ['a busy table', throttled, noCapacity],
    ['items left out again and again', new NoCapacityError(), noCapacity],
  ])('is a 429 that says so when patience ends, if it ends in %s each time', async (_, outcome, details) => {
    const answer = retryOptimistically({ patienceInMs: 50 }, async () => {
      if (outcome) throw outcome;
      return again;
    });
    await expect(answer).rejects.toMatchObject({
      key: 'too_many_requests',
      details,
      headers: { 'Retry-After': expect.stringMatching(/^[123]$/) },
    });
  });

  test.each([new ServiceError('not_found', { details: 'x' }), new Error('x'), cancelled('ConditionalCheckFailed')])(
    'is not attempted again after %s',
    async (error) => {
      let attempts = 0;
      const answer = retryOptimistically(patient, async () => {
        attempts += 1;
        throw error;
      });
      await expect(answer).rejects.toBe(error);
      expect(attempts).toBe(1);
    },
  );
});

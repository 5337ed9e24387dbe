import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { untilAnswered } from '../../lib/conflicts.ts';
import { ServiceError } from '../../lib/errors.ts';

const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
const patient = { patienceInMs: 30_000 };
const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

describe('what others get in the way of', () => {
  test('is attempted until it gives an answer, and waits out conflicts and a busy table', async () => {
    const outcomes = [undefined, cancelled('None', 'TransactionConflict'), throttled, undefined, 'answer'];
    const answer = await untilAnswered(patient, async () => {
      const outcome = outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      return outcome;
    });
    expect([answer, outcomes]).toEqual(['answer', []]);
  });

  test.each([
    ['nothing', undefined],
    ['a conflict', cancelled('TransactionConflict')],
    ['a busy table', throttled],
  ])('that ends in %s each time is a 429 when patience is over', async (_, outcome) => {
    const answer = untilAnswered({ patienceInMs: 50 }, async () => {
      if (outcome) throw outcome;
      return undefined;
    });
    await expect(answer).rejects.toSatisfy(
      (error) => error instanceof ServiceError && error.key === 'too_many_requests',
    );
  });

  test.each([new ServiceError('not_found', { details: 'x' }), new Error('x'), cancelled('ConditionalCheckFailed')])(
    'is not attempted again after %s',
    async (error) => {
      let attempts = 0;
      const answer = untilAnswered(patient, async () => {
        attempts += 1;
        throw error;
      });
      await expect(answer).rejects.toBe(error);
      expect(attempts).toBe(1);
    },
  );
});

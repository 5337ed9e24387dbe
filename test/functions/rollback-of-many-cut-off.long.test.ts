import { describe, expect, test } from 'vitest';
import type { Dependencies } from '#kernel/http/composition.ts';
import { mortal } from '../support/mortal.ts';
import { runOutbox } from '../support/outbox.ts';
import { isLong, sampled } from '../support/sampled.ts';
import { openThirty } from '../support/thirty-gifts.ts';

/** Each call at which a container may die, and whether the table has done it. */
const deaths = Array.from({ length: 16 }, (_, index) => index + 1).flatMap((call) => [
  [call, true] as const,
  [call, false] as const,
]);
const some = sampled(deaths, 2);
const callers = isLong ? 20 : 8;
/** Redemptions that are interrupted after their transaction. The second test needs some. */
const cutOff = isLong ? 3 : 1;

/** Checks that the job finishes a redemption that had begun. */
async function doneAfter(projectId: string, dying: Dependencies, work: (dying: Dependencies) => Promise<unknown>) {
  await work(dying);
  await runOutbox(projectId);
}

describe('thirty gift cards at once', () => {
  test.each(some)('are all redeemed or none if the container dies at its call %i, done: %s', async (call, isDone) => {
    const thirty = await openThirty();
    await doneAfter(thirty.projectId, mortal(call, isDone), thirty.redeem);
    const { length: redeemed } = await thirty.parents();
    expect([0, 1]).toContain(redeemed);
    await thirty.expectAll(redeemed, 0);
  });

  test.each(some)(
    'are all rolled back or none if the container dies at its call %i, done: %s',
    async (call, isDone) => {
      const thirty = await openThirty();
      const { body } = await thirty.redeem();
      const { id } = body.parent_redemption;
      await doneAfter(thirty.projectId, mortal(call, isDone), (dying) => thirty.rollBack(id, dying));
      const [{ status }] = await thirty.parents();
      await thirty.expectAll(1, status === 'ROLLED_BACK' ? 1 : 0);
      const again = await thirty.rollBack(id);
      expect(again.status).toBe(status === 'ROLLED_BACK' ? 400 : 200);
      await thirty.expectAll(1, 1);
    },
  );

  test('are rolled back though their redemption was interrupted after its transaction', async () => {
    const cut = [];
    for (const [call, isDone] of deaths) {
      const thirty = await openThirty();
      await thirty.redeem(mortal(call, isDone));
      const [parent] = await thirty.parents();
      if (!parent) continue;
      const { status, body } = await thirty.rollBack(parent.id);
      expect([status, body.rollbacks?.length]).toEqual([200, 30]);
      await thirty.expectAll(1, 1);
      await runOutbox(thirty.projectId);
      await thirty.expectAll(1, 1);
      cut.push(call);
      if (cut.length === cutOff) break;
    }
    expect(cut).toHaveLength(cutOff);
  });

  test(`are redeemed by as many of ${callers} at once as they can pay for, and rolled back once`, async () => {
    const thirty = await openThirty();
    const replies = await Promise.all(Array.from({ length: callers }, () => thirty.redeem()));
    const done = replies.filter(({ status }) => status === 200);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([
      ...Array(2).fill(200),
      ...Array(callers - 2).fill(400),
    ]);
    await thirty.expectAll(2, 0);
    const [first] = done;
    const back = await Promise.all(
      Array.from({ length: callers }, () => thirty.rollBack(first?.body.parent_redemption.id)),
    );
    expect(back.map(({ status }) => status).toSorted()).toEqual([200, ...Array(callers - 1).fill(400)]);
    await thirty.expectAll(2, 1);
  });
});

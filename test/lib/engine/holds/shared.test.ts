import { describe, expect, test } from 'vitest';
import { readCommittedUses } from '#engine/holds/committed-uses.ts';
import { freeShared } from '#engine/holds/free-shared.ts';
import type { Hold } from '#engine/holds/hold.ts';
import { readHolds, redemptionRecords } from '#engine/holds/items/hold-item.ts';
import { commitHeld, type Held, holdShared, releaseHeld } from '#engine/holds/shared.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { type Again, again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { uniqueId } from '../../../support/dependencies.ts';
import { afterLapse, container, type Offer, offerOf } from '../../../support/offers.ts';

type Context = Parameters<typeof holdShared>[0];

const contextOf = (offer: Offer, { table, now } = container()) => ({ ...offer.context, table, now }) as Context;

async function held(context: Context, holds: readonly Hold[], id: string, sessionKey?: string): Promise<Held> {
  const found = await holdShared(context, holds, { id, sessionKey });
  if (found === again) throw new Error('the limit has no room');
  return found;
}

/** Redeems with one hold, and inserts the record unless `commitAs` says how the transaction ends. */
async function redeem(context: Context, one: Held, commitAs?: () => Promise<'done' | Again>) {
  return commitHeld(context, one, {
    prepare: async ({ id, effects, numbers }) => [
      insert(redemptionRecords(context.project.id, id), { held: numbers }),
      ...effects,
    ],
    commit: commitAs ?? (async (effects) => ((await commit(context.table, effects)) ? ('done' as const) : again)),
  });
}

describe('limits that are held together', () => {
  test('are held all or not at all: a full limit gives the others back', async () => {
    const [wide, full] = [await offerOf(), await offerOf(container(), { used: 1 })];
    const context = contextOf(wide);
    expect(await holdShared(context, [wide.limit(5), full.limit(1)], { id: 'r', sessionKey: undefined })).toBe(again);
    expect((await wide.stored()).used).toBe(0);
    expect((await full.stored()).used).toBe(1);
  });

  test('are not held where the lock of another session leaves no room, and are for the session itself', async () => {
    const lock = { by: { quantity: 1 }, until: '2999-01-01T00:00:00.000Z' };
    const offer = await offerOf(container(), { 'lock a': lock });
    const context = contextOf(offer);
    expect(await holdShared(context, [offer.limit(1)], { id: 'r', sessionKey: 'b' })).toBe(again);
    expect((await offer.stored()).used).toBe(0);
    await held(context, [offer.limit(1)], 'r', 'a');
    expect((await offer.stored()).used).toBe(1);
  });

  test('are given back once when they are released, also twice at once', async () => {
    const offer = await offerOf();
    const context = contextOf(offer);
    await held(context, [offer.limit(5)], 'r');
    const one = await held(context, [offer.limit(5)], 's');
    await Promise.all([releaseHeld(context, one), releaseHeld(context, one)]);
    expect((await offer.stored()).used).toBe(1);
  });
});

describe('a transaction of held limits', () => {
  test('counts its use, and its hold is settled: nothing gives the use back later', async () => {
    const offer = await offerOf();
    const context = contextOf(offer);
    expect(await redeem(context, await held(context, [offer.limit(5)], 'r'))).toBe('done');
    await held(contextOf(offer, container({ now: afterLapse })), [offer.limit(5)], 's');
    expect((await offer.stored()).used).toBe(2);
  });

  test('that commits nothing gives its use back, whether it was refused or never sent', async () => {
    const offer = await offerOf();
    const context = contextOf(offer);
    expect(await redeem(context, await held(context, [offer.limit(5)], 'r'), async () => again)).toBe(again);
    const refused = () => Promise.reject(new ServiceError('not_found', { details: 'no such order' }));
    await expect(redeem(context, await held(context, [offer.limit(5)], 's'), refused)).rejects.toThrow(ServiceError);
    const broken = commitHeld(context, await held(context, [offer.limit(5)], 't'), {
      prepare: () => Promise.reject(new Error('a bug')),
      commit: async () => 'done' as const,
    });
    await expect(broken).rejects.toThrow('a bug');
    expect((await offer.stored()).used).toBe(0);
  });

  test('of unknown outcome keeps its hold, until its record decides whether the use counts', async () => {
    const offer = await offerOf();
    const context = contextOf(offer);
    const lost = () => Promise.reject(new Error('the reply was lost'));
    const isMade = await held(context, [offer.limit(5)], 'made');
    const made = commitHeld(context, isMade, {
      prepare: async ({ numbers }) => numbers,
      commit: async (numbers) => {
        await commit(context.table, [insert(redemptionRecords(context.project.id, 'made'), { held: numbers })]);
        return lost();
      },
    });
    await expect(made).rejects.toThrow('the reply was lost');
    await expect(redeem(context, await held(context, [offer.limit(5)], 'lost'), lost)).rejects.toThrow('lost');
    expect([...readHolds(await offer.stored()).keys()].sort()).toEqual(['lost', 'made']);
    expect((await offer.stored()).used).toBe(2);
    await held(contextOf(offer, container({ now: afterLapse })), [offer.limit(5)], 'next');
    expect((await offer.stored()).used).toBe(2);
  });

  test('that commits, under contention and from many containers, never passes the limit and reaches it', async () => {
    const offer = await offerOf();
    const sell = (context: Context) =>
      retryOptimistically(context.table, async () => {
        const read = await offer.stored();
        const one = await holdShared(context, [{ ...offer.limit(20), read }], {
          id: uniqueId('r_'),
          sessionKey: undefined,
        });
        if (one !== again) return redeem(context, one);
        const item = await offer.stored();
        return item.used >= 20 && !(await freeShared(context, [item], () => true)) ? 'none left' : again;
      });
    const containers = Array.from({ length: 4 }, () => contextOf(offer));
    const sold = await Promise.all(containers.flatMap((context) => Array.from({ length: 12 }, () => sell(context))));
    expect(sold.filter((one) => one === 'done')).toHaveLength(20);
    const place = { key: offer.key, item: await offer.stored(), attribute: 'used' } as const;
    expect((await readCommittedUses(contextOf(offer), place)).used).toBe(20);
  });
});

import { describe, expect, test } from 'vitest';
import { readHolds } from '#engine/holds/items/hold-item.ts';
import { hold, release } from '#engine/holds/standing/hold.ts';
import { uniqueId } from '../../../support/dependencies.ts';
import { afterLapse, bought, container, ids, type Offer, offerOf, sales } from '../../../support/offers.ts';
import { isLong } from '../../../support/sampled.ts';

describe('holds of dead holders', () => {
  const dead = async (offer: Offer, soldToo: number, count = 20) => {
    const all = ids(count);
    await Promise.all(all.map((id) => hold(offer.context, sales, offer.limit(count), id)));
    expect((await offer.stored()).used).toBe(count);
    await Promise.all(all.slice(0, soldToo).map((id) => offer.sell(offer.context, id)));
    return all;
  };

  test('count while their outcome is unknown', async () => {
    const offer = await offerOf();
    await dead(offer, 0);
    expect(await bought(offer, 20)).toBe(false);
  });

  test('are released once they have lapsed, by 64 callers at once who want all uses: exactly the limit', async () => {
    const offer = await offerOf();
    await dead(offer, 0);
    const containers = Array.from({ length: 8 }, () => offer.as(container({ now: afterLapse })));
    const outcomes = await Promise.all(
      ids(64).map((id, index) => bought({ ...offer, context: containers[index % 8] ?? offer.context }, 20, id)),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(20);
    expect((await offer.stored()).used).toBe(20);
  });

  test('stay counted if they had committed', async () => {
    const offer = await offerOf();
    await dead(offer, 13);
    const context = offer.as(container({ now: afterLapse }));
    const outcomes = await Promise.all(ids(20).map((id) => bought({ ...offer, context }, 20, id)));
    expect(outcomes.filter(Boolean)).toHaveLength(7);
    const stored = await offer.stored();
    expect(stored.used).toBe(20);
    expect([...readHolds(stored).values()].filter(({ until }) => until < afterLapse.toISOString())).toEqual([]);
  });

  test('are released by many callers at once even if the limit was not reached', async () => {
    const offer = await offerOf();
    await dead(offer, 0, 120);
    const context = offer.as(container({ now: afterLapse }));
    expect(await bought({ ...offer, context }, 5)).toBe(true);
    expect((await offer.stored()).used).toBe(1);
  });

  test('commit nothing once they have lapsed', async () => {
    const offer = await offerOf();
    const [late = ''] = await dead(offer, 0, 1);
    await bought({ ...offer, context: offer.as(container({ now: afterLapse })) }, 20);
    await expect(offer.sell(offer.context, late)).rejects.toMatchObject({ key: 'too_many_requests' });
    await release(offer.context, offer.limit(20), late, await offer.stored());
    expect((await offer.stored()).used).toBe(1);
  });

  test('or commit before they lapse and then stay counted: no third outcome exists', async () => {
    for (let round = 0; round < (isLong ? 3 : 1); round++) {
      const offer = await offerOf();
      const all = await dead(offer, 0);
      const others = Array.from({ length: 20 }, () => offer.as(container({ now: afterLapse })));
      const [sold] = await Promise.all([
        Promise.allSettled(all.map((id) => offer.sell(offer.context, id))),
        ...others.map((context) => hold(context, sales, { ...offer.limit(20), by: { used: 0 } }, uniqueId('r_'))),
      ]);
      await hold(offer.as(container({ now: afterLapse })), sales, { key: offer.key, by: {} }, 'last');
      expect((await offer.stored()).used).toBe(sold.filter(({ status }) => status === 'fulfilled').length);
    }
  });
});

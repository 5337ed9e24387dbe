import { describe, expect, test } from 'vitest';
import type { Hold } from '#engine/holds/hold.ts';
import { readHolds } from '#engine/holds/items/hold-item.ts';
import { hold, release } from '#engine/holds/standing/hold.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { afterLapse, bought, container, ids, type Offer, offerOf, sales } from '../../../support/offers.ts';

describe('a limit that many share', () => {
  test('is met exactly by 64 at once, and never exceeded', async () => {
    const offer = await offerOf();
    const outcomes = await Promise.all(ids(64).map((id) => bought(offer, 20, id)));
    expect(outcomes.filter(Boolean)).toHaveLength(20);
    expect((await offer.stored()).used).toBe(20);
  });

  test('counts from 0 if its item does not have the number yet, and may be 0', async () => {
    const { context, key } = await offerOf();
    const held = (most: number): Hold => ({ key, by: { spent: 5 }, max: { attribute: 'spent', value: most } });
    expect((await hold(context, sales, held(4), 'a')).done).toBe(false);
    expect((await hold(context, sales, held(5), 'b')).done).toBe(true);
    expect((await hold(context, sales, held(9), 'c')).done).toBe(false);
  });

  test('opens again by exactly what is released, and each release counts once', async () => {
    const offer = await offerOf();
    const { context, limit, stored } = offer;
    const first = ids(20);
    const items = new Map<string, Attributes | undefined>();
    for (const id of first) items.set(id, (await hold(context, sales, limit(20), id)).item);
    expect(await bought(offer, 20)).toBe(false);
    await Promise.all([...first, ...first].map((id) => release(context, limit(20), id, items.get(id))));
    expect((await stored()).used).toBe(0);
    const outcomes = await Promise.all(ids(64).map((id) => bought(offer, 20, id)));
    expect(outcomes.filter(Boolean)).toHaveLength(20);
    expect((await stored()).used).toBe(20);
  });

  test('shows the item with the hold, or the item that refused it', async () => {
    const { context, limit } = await offerOf(container(), { left: 'here' });
    expect(await hold(context, sales, limit(1), 'a')).toMatchObject({ done: true, item: { used: 1, left: 'here' } });
    expect(await hold(context, sales, limit(1), 'b')).toMatchObject({ done: false, item: { used: 1, left: 'here' } });
  });

  test('can be held under conditions of its item, and creates no item', async () => {
    const { context, limit, key } = await offerOf();
    const held = (id: string): Hold => ({
      ...limit(5),
      key: { ...key, pk: key.pk + id },
      when: (on) => on.whenThere(),
    });
    expect(await hold(context, sales, held('gone'), 'a')).toEqual({ done: false, item: undefined });
    expect((await hold(context, sales, held(''), 'b')).done).toBe(true);
    expect((await hold(context, sales, { ...held(''), when: (on) => on.whenHas('open') }, 'c')).done).toBe(false);
  });
});

describe('an attribute that a hold removes', () => {
  const lock = { quantity: 1, until: '2026-07-01T00:00:00.000Z' };
  const locked = () => offerOf(container(), { 'lock a': lock });
  const taking = ({ limit }: Offer): Hold => ({ ...limit(5), takes: { 'lock a': lock } });

  test('disappears with it, and one of twenty callers has taken it', async () => {
    const offer = await locked();
    const outcomes = await Promise.all(ids(20).map((id) => hold(offer.context, sales, taking(offer), id)));
    expect(outcomes.filter(({ done }) => done)).toHaveLength(1);
    expect(await offer.stored()).toMatchObject({ used: 1 });
    expect(await offer.stored()).not.toHaveProperty('lock a');
  });

  test('returns when the hold is released or its holder is dead', async () => {
    const offer = await locked();
    const { item } = await hold(offer.context, sales, taking(offer), 'a');
    await release(offer.context, taking(offer), 'a', item);
    expect(await offer.stored()).toMatchObject({ used: 0, 'lock a': lock });
    await hold(offer.context, sales, taking(offer), 'b');
    await hold(offer.as(container({ now: afterLapse })), sales, offer.limit(5), 'c');
    expect(await offer.stored()).toMatchObject({ used: 1, 'lock a': lock });
  });
});

describe('holds whose transaction was committed', () => {
  test("are removed by the container's next hold, and stay counted", async () => {
    const offer = await offerOf();
    await bought(offer, 20);
    expect(readHolds(await offer.stored()).size).toBe(1);
    await bought(offer, 20);
    await hold(offer.context, sales, offer.limit(20), 'last');
    expect([...readHolds(await offer.stored()).keys()]).toEqual(['last']);
    expect((await offer.stored()).used).toBe(3);
  });

  test('are remembered if the next hold is refused', async () => {
    const offer = await offerOf();
    await bought(offer, 1);
    expect(await bought(offer, 1)).toBe(false);
    await hold(offer.context, sales, offer.limit(2), 'last');
    expect([...readHolds(await offer.stored()).keys()]).toEqual(['last']);
  });

  test('do not pile up if many containers have one each', async () => {
    const offer = await offerOf();
    for (const id of ids(25)) {
      const context = offer.as(container());
      expect(await bought({ ...offer, context }, 100, id)).toBe(true);
    }
    expect(readHolds(await offer.stored()).size).toBeLessThanOrEqual(10);
    expect((await offer.stored()).used).toBe(25);
  });
});

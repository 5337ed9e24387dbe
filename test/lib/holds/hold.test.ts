import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Held, holdLifeInMs, holdsOf } from '../../../lib/holds/held.ts';
import { hold, release, settled } from '../../../lib/holds/hold.ts';
import { retryOptimistically, tooCrowded } from '../../../lib/table/conflicts.ts';
import { commit, insert } from '../../../lib/table/effects.ts';
import type { Attributes } from '../../../lib/table/item.ts';
import { kind } from '../../../lib/table/kind.ts';
import { read } from '../../../lib/table/read.ts';
import { Table } from '../../../lib/table/table.ts';
import { fileTable, newClient, testTime, uniqueId } from '../../support/dependencies.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { conflicts, faults } from '../../support/faults.ts';
import { isLong } from '../../support/sampled.ts';

const offers = kind('OFFER', v.looseObject({ used: v.optional(v.number(), 0), left: v.optional(v.string()) }));
const sales = kind('SALE', v.object({ sold: v.literal(true) }));
const afterLapse = new Date(testTime.getTime() + holdLifeInMs + 1);

/** One container after the other, each with a memory of its own. */
function container({ client = newClient(), now = testTime, patienceInMs = 30_000 } = {}) {
  return { client, table: new Table(client, fileTable(), now, { patienceInMs }), now };
}

async function offerOf({ table, now } = container(), fields: Attributes = {}) {
  const project = { id: uniqueId('proj_') };
  const key = offers(project.id, 'everybody');
  await commit(table, [insert(key, { used: 0, ...fields })]);
  const context = { table, now, project } as unknown as Parameters<typeof hold>[0];
  const as = (other: { table: Table; now: Date }) => ({ ...context, table: other.table, now: other.now });
  const stored = async () => {
    const { offer } = await read(new Table(newClient(), fileTable(), now), { offer: key });
    if (!offer) throw new Error('the offer is gone');
    return offer;
  };
  const limit = (value: number): Held => ({ key, by: { used: 1 }, max: { attribute: 'used', value } });
  const sell = (by: typeof context, id: string) =>
    commit(by.table, [insert(sales(project.id, id), { sold: true }, () => tooCrowded())]);
  return { context, as, key, stored, limit, sell };
}

const ids = (count: number) => Array.from({ length: count }, () => uniqueId('r_'));

/** Hold, sell, settle, as a till does. */
async function bought(
  { context, limit, sell }: Awaited<ReturnType<typeof offerOf>>,
  most: number,
  id = uniqueId('r_'),
) {
  const held = limit(most);
  const outcome = await retryOptimistically(context.table, () => hold(context, sales, held, id));
  if (!outcome.done) return false;
  await sell(context, id);
  await settled(context, held.key, id, outcome.item);
  return true;
}

describe('a limit that many share', () => {
  test('is met exactly by 64 at once, and never exceeded', async () => {
    const offer = await offerOf();
    const outcomes = await Promise.all(ids(64).map((id) => bought(offer, 20, id)));
    expect(outcomes.filter(Boolean)).toHaveLength(20);
    expect((await offer.stored()).used).toBe(20);
  });

  test('that is not a number of its item yet counts from 0, and may be 0', async () => {
    const { context, key } = await offerOf();
    const held = (most: number): Held => ({ key, by: { spent: 5 }, max: { attribute: 'spent', value: most } });
    expect((await hold(context, sales, held(4), 'a')).done).toBe(false);
    expect((await hold(context, sales, held(5), 'b')).done).toBe(true);
    expect((await hold(context, sales, held(9), 'c')).done).toBe(false);
  });

  test('is open again, exactly as far as was given back, and that counts once', async () => {
    const offer = await offerOf();
    const { context, limit, stored } = offer;
    const first = ids(20);
    await Promise.all(first.map((id) => hold(context, sales, limit(20), id)));
    expect(await bought(offer, 20)).toBe(false);
    await Promise.all([...first, ...first].map((id) => release(context, limit(20), id)));
    expect((await stored()).used).toBe(0);
    const outcomes = await Promise.all(ids(64).map((id) => bought(offer, 20, id)));
    expect(outcomes.filter(Boolean)).toHaveLength(20);
    expect((await stored()).used).toBe(20);
  });

  test('shows the item as it is with the hold, or as it stood in the way', async () => {
    const { context, limit } = await offerOf(container(), { left: 'here' });
    expect(await hold(context, sales, limit(1), 'a')).toMatchObject({ done: true, item: { used: 1, left: 'here' } });
    expect(await hold(context, sales, limit(1), 'b')).toMatchObject({ done: false, item: { used: 1, left: 'here' } });
  });

  test('can be held on conditions of its item, and makes none where none was', async () => {
    const { context, limit, key } = await offerOf();
    const held = (id: string): Held => ({
      ...limit(5),
      key: { ...key, pk: key.pk + id },
      when: (on) => on.whenThere(),
    });
    expect(await hold(context, sales, held('gone'), 'a')).toEqual({ done: false, item: undefined });
    expect((await hold(context, sales, held(''), 'b')).done).toBe(true);
    expect((await hold(context, sales, { ...held(''), when: (on) => on.whenHas('open') }, 'c')).done).toBe(false);
  });
});

describe('what a hold takes off the item', () => {
  const lock = { quantity: 1, until: '2026-07-01T00:00:00.000Z' };
  const locked = () => offerOf(container(), { 'lock a': lock });
  type Offer = Awaited<ReturnType<typeof offerOf>>;
  const taking = ({ limit }: Offer): Held => ({ ...limit(5), takes: { 'lock a': lock } });

  test('is gone with it, and one of twenty has taken it', async () => {
    const offer = await locked();
    const outcomes = await Promise.all(ids(20).map((id) => hold(offer.context, sales, taking(offer), id)));
    expect(outcomes.filter(({ done }) => done)).toHaveLength(1);
    expect(await offer.stored()).toMatchObject({ used: 1 });
    expect(await offer.stored()).not.toHaveProperty('lock a');
  });

  test('comes back when it is released, and when its holder is dead', async () => {
    const offer = await locked();
    await hold(offer.context, sales, taking(offer), 'a');
    await release(offer.context, taking(offer), 'a');
    expect(await offer.stored()).toMatchObject({ used: 0, 'lock a': lock });
    await hold(offer.context, sales, taking(offer), 'b');
    await hold(offer.as(container({ now: afterLapse })), sales, offer.limit(5), 'c');
    expect(await offer.stored()).toMatchObject({ used: 1, 'lock a': lock });
  });
});

describe('holds whose transaction was committed', () => {
  test("are taken off by the container's next hold, and stay counted", async () => {
    const offer = await offerOf();
    await bought(offer, 20);
    expect(holdsOf(await offer.stored()).size).toBe(1);
    await bought(offer, 20);
    await hold(offer.context, sales, offer.limit(20), 'last');
    expect([...holdsOf(await offer.stored()).keys()]).toEqual(['last']);
    expect((await offer.stored()).used).toBe(3);
  });

  test('are kept in mind where the next hold is refused', async () => {
    const offer = await offerOf();
    await bought(offer, 1);
    expect(await bought(offer, 1)).toBe(false);
    await hold(offer.context, sales, offer.limit(2), 'last');
    expect([...holdsOf(await offer.stored()).keys()]).toEqual(['last']);
  });

  test('do not pile up where many containers have one each', async () => {
    const offer = await offerOf();
    for (const id of ids(25)) {
      const context = offer.as(container());
      expect(await bought({ ...offer, context }, 100, id)).toBe(true);
    }
    expect(holdsOf(await offer.stored()).size).toBeLessThanOrEqual(10);
    expect((await offer.stored()).used).toBe(25);
  });
});

describe('holds of dead holders', () => {
  const dead = async (offer: Awaited<ReturnType<typeof offerOf>>, soldToo: number, count = 20) => {
    const all = ids(count);
    await Promise.all(all.map((id) => hold(offer.context, sales, offer.limit(count), id)));
    expect((await offer.stored()).used).toBe(count);
    await Promise.all(all.slice(0, soldToo).map((id) => offer.sell(offer.context, id)));
    return all;
  };

  test('count while nobody can know', async () => {
    const offer = await offerOf();
    await dead(offer, 0);
    expect(await bought(offer, 20)).toBe(false);
  });

  test('are given back once they have lapsed, by twenty at once who want all of it: exactly the limit', async () => {
    const offer = await offerOf();
    await dead(offer, 0);
    const containers = Array.from({ length: 8 }, () => offer.as(container({ now: afterLapse })));
    const outcomes = await Promise.all(
      ids(64).map((id, index) => bought({ ...offer, context: containers[index % 8] ?? offer.context }, 20, id)),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(20);
    expect((await offer.stored()).used).toBe(20);
  });

  test('stay counted where they had committed', async () => {
    const offer = await offerOf();
    await dead(offer, 13);
    const context = offer.as(container({ now: afterLapse }));
    const outcomes = await Promise.all(ids(20).map((id) => bought({ ...offer, context }, 20, id)));
    expect(outcomes.filter(Boolean)).toHaveLength(7);
    const stored = await offer.stored();
    expect(stored.used).toBe(20);
    expect([...holdsOf(stored).values()].filter(({ until }) => until < afterLapse.toISOString())).toEqual([]);
  });

  test('are given back where the limit was not reached, too, and hundreds are', async () => {
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
    await release(offer.context, offer.limit(20), late);
    expect((await offer.stored()).used).toBe(1);
  });

  test('or commit before that, and then stay counted: never something between', async () => {
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

describe('behind a faulty network', () => {
  let proxy: FaultProxy;
  beforeAll(async () => {
    proxy = await startFaultProxy();
  });
  afterAll(() => proxy.close());

  const all = Object.entries({ ...faults, ...conflicts });

  test.each(all)('a hold, its release and the next one count once though each call %s', async (_, fault) => {
    const offer = await offerOf();
    const context = offer.as(container({ client: proxy.client }));
    let times = 0;
    const once = () => proxy.run(() => (times++ === 0 ? fault : undefined));
    once();
    expect((await hold(context, sales, offer.limit(1), 'a')).done).toBe(true);
    expect((await offer.stored()).used).toBe(1);
    times = 0;
    once();
    await release(context, offer.limit(1), 'a');
    expect((await offer.stored()).used).toBe(0);
    expect(await bought({ ...offer, context }, 1)).toBe(true);
    expect((await offer.stored()).used).toBe(1);
  });

  const telling = all.filter(([name]) => /carried out|twice|throttled|another/.test(name));
  test.each(telling)('lapsed holds are resolved once though each call %s now and then', async (_, fault) => {
    const offer = await offerOf();
    const taken = ids(6);
    for (const id of taken) await hold(offer.context, sales, offer.limit(6), id);
    for (const id of taken.slice(0, 2)) await offer.sell(offer.context, id);
    let calls = 0;
    const met = new Set<string>();
    // Each call once: eight callers in step and one that tries again would meet every ninth call as the same one, until it gives up.
    proxy.run(({ body }) => {
      const call = JSON.stringify(body);
      if (calls++ % 9 !== 1 || met.has(call)) return undefined;
      met.add(call);
      return fault;
    });
    const context = offer.as(container({ client: proxy.client, now: afterLapse }));
    const outcomes = await Promise.all(ids(8).map((id) => bought({ ...offer, context }, 6, id)));
    expect(outcomes.filter(Boolean)).toHaveLength(4);
    expect((await offer.stored()).used).toBe(6);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hold, release } from '#engine/holds/standing/hold.ts';
import { type FaultProxy, startFaultProxy } from '../../../support/fault-proxy.ts';
import { conflicts, faults } from '../../../support/faults.ts';
import { afterLapse, bought, container, ids, offerOf, sales } from '../../../support/offers.ts';

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
    const outcome = await hold(context, sales, offer.limit(1), 'a');
    expect(outcome.done).toBe(true);
    expect((await offer.stored()).used).toBe(1);
    times = 0;
    once();
    await release(context, offer.limit(1), 'a', outcome.item);
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
    // Each call meets the fault once. With a fault at every ninth call, a repeated call could meet it until it gives up.
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

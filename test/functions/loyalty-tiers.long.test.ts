import { describe, expect, test } from 'vitest';
import { handler as createTiers } from '../../functions/loyalties/create-loyalty-tiers.ts';
import { handler as getTier } from '../../functions/loyalties/get-loyalty-tier.ts';
import { handler as listTiers } from '../../functions/loyalties/list-loyalty-tiers.ts';
import { handler as update } from '../../functions/loyalties/update-loyalty-campaign.ts';
import { handler as adjustBalance } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { exported } from '../support/exported.ts';
import { mortal } from '../support/mortal.ts';
import { deliver, openJobs } from '../support/outbox.ts';
import { club, openProgrammes, path, tier } from '../support/programmes.ts';

describe('loyalty tiers', () => {
  test('may be created from an empty list', async () => {
    const { ask } = await openProgrammes(club);
    expect(await ask(createTiers, path, { body: [] })).toMatchObject({ status: 200, body: [] });
  });

  test('show their points exactly as sent, and begin with 0 by default', async () => {
    const { ask, run, tierOf, project } = await openProgrammes(club);
    const points = [{}, { to: 10 }, { from: 20 }];
    const { body } = await ask(createTiers, path, {
      body: points.map((one, index) => ({ name: `Tier ${index}`, points: one })).toReversed(),
    });
    const shown = points.map((one) => ({ points: one, config: { points: one } }));
    const wholly = (tiers: readonly Record<string, unknown>[]) =>
      tiers.map(({ points, config }) => ({ points, config }));
    expect(wholly(body)).toEqual(shown.toReversed());
    expect(wholly((await ask(listTiers, path)).body.data)).toEqual([shown[1], shown[0], shown[2]]);
    expect(wholly([(await ask(getTier, { ...path, loyaltyTierId: body[2].id })).body])).toEqual([shown[0]]);
    await run();
    expect(['Tier 0', 'Tier 1']).toContain((await tierOf('EVE')).name);
    expect((await tierOf('BOB')).name).toBe('Tier 2');
    const { loyalty_tiers: written } = await exported(project.id);
    const copy = await openProgrammes({ ...club, loyalty_tiers: written });
    expect((await copy.ask(listTiers, path)).body).toEqual((await ask(listTiers, path)).body);
    const refused = await ask(createTiers, path, { body: [{ name: 'Below', points: { to: -1 } }] });
    expect([refused.status, refused.body.details]).toEqual([400, expect.stringContaining('[0].points')]);
  });

  test('are created together, and listed in the order of their points', async () => {
    const { ask } = await openProgrammes(club);
    const maps = {
      earning_rules: { ern_1: { type: 'MULTIPLY', multiplier: 2.5 } },
      rewards: { rewa_1: { type: 'CUSTOM', points: 3 } },
      metadata: { colour: 'gold' },
    };
    const { status, body } = await ask(createTiers, path, {
      body: [tier('Gold', 100, undefined, maps), tier('New', 0, 99)],
    });
    expect(status).toBe(200);
    expect(body).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^ltr_/),
        name: 'Gold',
        points: { from: 100 },
        ...maps,
        object: 'loyalty_tier',
      }),
      expect.objectContaining({
        name: 'New',
        points: { from: 0, to: 99 },
        earning_rules: {},
        rewards: {},
        metadata: {},
      }),
    ]);
    const listed = await ask(listTiers, path);
    expect(listed.body).toMatchObject({ total: 2, data: [body[1], body[0]] });
    expect((await ask(listTiers, path, { query: 'order=created_at&limit=1' })).body).toMatchObject({
      total: 2,
      data: [body[0]],
    });
    expect((await ask(getTier, { ...path, loyaltyTierId: body[0].id })).body).toEqual(body[0]);
    const elsewhere = await ask(getTier, { campaignId: 'camp_other', loyaltyTierId: body[0].id });
    expect([elsewhere.status, elsewhere.body.resource_type]).toEqual([404, 'loyalty_tier']);
  });

  test('accept points that are texts, and show them as numbers', async () => {
    const { ask } = await openProgrammes(club);
    const sent = {
      name: 'Text',
      points: { from: '0', to: '99' },
      rewards: { rewa_1: { type: 'CUSTOM', points: '3' } },
    };
    const { status, body } = await ask(createTiers, path, { body: [sent] });
    expect([status, body]).toMatchObject([
      200,
      [{ points: { from: 0, to: 99 }, rewards: { rewa_1: { type: 'CUSTOM', points: 3 } } }],
    ]);
  });

  test.each([
    [
      'a rule of another programme',
      [tier('A', 0, 1, { earning_rules: { ern_2: { type: 'CUSTOM', points: 1 } } })],
      'earning_rule',
    ],
    [
      'an unknown assignment',
      [tier('A', 0), tier('B', 5, 6, { rewards: { rewa_x: { type: 'CUSTOM', points: 1 } } })],
      'reward_assignment',
    ],
  ])('are not created if they name %s, nor any others of the request', async (_, body, type) => {
    const { ask } = await openProgrammes(club);
    const refused = await ask(createTiers, path, { body });
    expect([refused.status, refused.body.resource_type]).toEqual([404, type]);
    expect((await ask(listTiers, path)).body.total).toBe(0);
  });

  test('report every fault at once', async () => {
    const { ask } = await openProgrammes(club);
    const body = [tier('A', 5, 4), { points: { from: 1.5 }, rewards: { rewa_1: { type: 'HALVE' } } }];
    const { status, body: told } = await ask(createTiers, path, { body });
    expect([status, told.key]).toEqual([400, 'invalid_payload']);
    for (const place of ['[0].points', '[1].name', '[1].points.from', '[1].rewards.rewa_1.type'])
      expect(told.details).toContain(place);
  });

  test('of twenty requests at once are each created completely or refused, and no programme gets more than fifty', async () => {
    const { ask } = await openProgrammes(club);
    const some = [tier('A', 0), tier('B', 1), tier('C', 2)];
    const made = await Promise.all(Array.from({ length: 20 }, () => ask(createTiers, path, { body: some })));
    const refused = made.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.key)).toEqual(Array(4).fill('too_many_resources'));
    expect((await ask(listTiers, path, { query: 'limit=100' })).body.total).toBe(48);
  });

  test('take members in the background once each, however often the job is delivered and interrupted', async () => {
    const { ask, dependencies, project, told, run } = await openProgrammes(club);
    await ask(createTiers, path, { body: [tier('New', 0, 99), tier('Gold', 100)] });
    const jobs = (await openJobs(project.id, dependencies)).filter(({ kind }) => kind === 'settle-members');
    expect(jobs).toHaveLength(1);
    for (const calls of [2, 5, 9]) await deliver(jobs, mortal(calls, true)).catch(() => undefined);
    await Promise.all([deliver(jobs, dependencies), deliver(jobs, dependencies)]);
    await run();
    expect([await told('cust_eve'), await told('cust_bob')]).toEqual([['joined'], []]);
  });
});

describe("new dates of a programme's tiers", () => {
  const kept = (extend: string) => ({
    qualification_type: 'BALANCE',
    expiration_date: { type: 'CUSTOM', extend, rounding: { type: 'MONTH', strategy: 'END' } },
  });

  test('are given to present members if requested, with an activity, and nobody falls', async () => {
    const { ask, run, tierOf, told } = await openProgrammes({
      ...club,
      loyalty_tiers: [
        { id: 'ltr_new', campaign_id: 'camp_club', ...tier('New', 0, 99) },
        { id: 'ltr_gold', campaign_id: 'camp_club', ...tier('Gold', 100) },
      ],
    });
    // From now on the card stores its tier.
    await ask(adjustBalance, { code: 'ADA' }, { body: { amount: 1 } });
    await ask(update, path, { body: { loyalty_tiers_expiration: kept('P3M') } });
    await run();
    expect((await tierOf('ADA')).expiration.expiration_date).toBeUndefined();
    for (const [extend, date] of [
      ['P3M', '2026-09-30'],
      ['P1M', '2026-07-31'],
    ] as const) {
      const body = { loyalty_tiers_expiration: kept(extend), options: { recalculate_tiers: true } };
      expect((await ask(update, path, { body })).status).toBe(200);
      await run();
      expect(await tierOf('ADA')).toMatchObject({ id: 'ltr_gold', expiration: { expiration_date: date } });
    }
    expect(await told('cust_ada')).toEqual(['expiration.changed', 'expiration.changed']);
  });
});

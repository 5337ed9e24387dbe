import { describe, expect, test } from 'vitest';
import { handler as addVouchers } from '../../functions/campaigns/add-voucher-with-code.ts';
import { handler as listActivities } from '../../functions/customers/list-customer-activities.ts';
import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as create } from '../../functions/loyalties/create-loyalty-campaign.ts';
import { handler as createTiers } from '../../functions/loyalties/create-loyalty-tiers.ts';
import { handler as remove } from '../../functions/loyalties/delete-loyalty-campaign.ts';
import { handler as get } from '../../functions/loyalties/get-loyalty-campaign.ts';
import { handler as getTier } from '../../functions/loyalties/get-loyalty-tier.ts';
import { handler as list } from '../../functions/loyalties/list-loyalty-campaigns.ts';
import { handler as listTiers } from '../../functions/loyalties/list-loyalty-tiers.ts';
import { handler as memberTiers } from '../../functions/loyalties/list-member-tiers.ts';
import { handler as update } from '../../functions/loyalties/update-loyalty-campaign.ts';
import { handler as adjustBalance } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { card, programme } from '../support/loyalty.ts';
import { mortal } from '../support/mortal.ts';
import { deliver, itemsOf, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

type Handler = Parameters<typeof caller>[0];

async function newWorld(lists: Record<string, unknown> = {}) {
  const dependencies = testDependencies({ clock: standingClock() });
  const project = await loadProject(lists, dependencies);
  const headers = project.credentials;
  const ask = (handler: Handler, params: Record<string, string> = {}, rest: object = {}) =>
    caller(handler, dependencies)({ headers, params, ...rest });
  return {
    dependencies,
    project,
    ask,
    run: () => runOutbox(project.id, dependencies),
    told: async (customerId: string) => {
      const { body } = await ask(listActivities, { customerId }, { query: 'limit=100&order=created_at' });
      return body.data
        .map(({ type }: { type: string }) => type)
        .filter((type: string) => type.includes('.tier.'))
        .map((type: string) => type.replace('customer.loyalty.tier.', ''));
    },
    tierOf: async (memberId: string) => (await ask(memberTiers, { memberId })).body.data[0],
  };
}

const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: '100' } };
const named = (name: string, more: object = {}) => ({ name, voucher, ...more });

describe('loyalty programmes', () => {
  test('are made with the defaults of a programme, and are campaigns like any other', async () => {
    const { ask, run } = await newWorld();
    const { status, body } = await ask(create, {}, { body: named('Crew', { vouchers_count: 2, join_once: false }) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      campaign_type: 'LOYALTY_PROGRAM',
      type: 'AUTO_UPDATE',
      join_once: true,
      auto_join: false,
      use_voucher_metadata_schema: false,
      vouchers_count: 0,
      creation_status: 'IN_PROGRESS',
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 100 }, redemption: { quantity: null } },
    });
    await run();
    expect((await ask(get, { campaignId: 'Crew' })).body).toMatchObject({ vouchers_count: 2, creation_status: 'DONE' });
  });

  test('need a name and a card, are of no other kind, and every fault is told at once', async () => {
    const { ask } = await newWorld();
    const { status, body } = await ask(create, {}, { body: { campaign_type: 'PROMOTION', type: 'STANDALONE' } });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    for (const place of ['name is required', 'campaign_type must be', 'voucher is required', 'type must be one of']) {
      expect(body.details).toContain(place);
    }
  });

  test('of twenty that are made at once under one name, one is made', async () => {
    const { ask } = await newWorld();
    const made = await Promise.all(Array.from({ length: 20 }, () => ask(create, {}, { body: named('Only') })));
    expect(made.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect((await ask(list)).body).toMatchObject({ total: 1, data_ref: 'campaigns' });
  });

  test('stand alone in their list, the newest first', async () => {
    const { ask, dependencies } = await newWorld({
      categories: [{ id: 'cat_1', name: 'One' }],
      campaigns: [
        programme('camp_old', { category: 'One', created_at: '2026-01-01T00:00:00Z' }),
        programme('camp_new', { created_at: '2026-02-01T00:00:00Z' }),
        { id: 'camp_coupons', name: 'Coupons', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
      ],
    });
    expect(dependencies).toBeDefined();
    const idsOf = async (query: string) =>
      (await ask(list, {}, { query })).body.campaigns.map(({ id }: { id: string }) => id);
    expect(await idsOf('')).toEqual(['camp_new', 'camp_old']);
    expect(await idsOf('order=created_at&limit=1&page=2')).toEqual(['camp_new']);
    const { body } = await ask(list, {}, { query: 'expand=category&order=created_at' });
    expect([body.total, body.campaigns[0].categories[0].name]).toEqual([2, 'One']);
  });

  test('are changed and deleted under this path; other campaigns are not there', async () => {
    const { ask, run } = await newWorld({
      campaigns: [
        programme('camp_club', { voucher: undefined }),
        { id: 'camp_coupons', name: 'Coupons', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
      ],
    });
    const change = {
      description: 'All hands',
      join_once: false,
      name: 'never',
      loyalty_card: { points: 7, expiration_rules: { period_type: 'MONTH', period_value: 1 } },
      loyalty_tiers_expiration: { qualification_type: 'BALANCE' },
    };
    const { status, body } = await ask(update, { campaignId: 'camp_club' }, { body: change });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Name of camp_club',
      description: 'All hands',
      join_once: true,
      creation_status: 'MODIFYING',
      voucher: { type: 'LOYALTY_CARD', loyalty_card: change.loyalty_card },
      loyalty_tiers_expiration: { qualification_type: 'BALANCE' },
    });
    await run();
    const cleared = await ask(update, { campaignId: 'camp_club' }, { body: { loyalty_tiers_expiration: null } });
    expect(cleared.body.loyalty_tiers_expiration).toBeUndefined();

    for (const handler of [update, remove]) {
      const reply = await ask(handler, { campaignId: 'Coupons' }, handler === update ? { body: {} } : {});
      expect([reply.status, reply.body.resource_type]).toEqual([404, 'campaign']);
    }
    const gone = await ask(remove, { campaignId: 'camp_club' }, { query: 'force=true' });
    expect([gone.status, gone.body]).toEqual([200, { async_action_id: expect.stringMatching(/^aa_/) }]);
    expect((await ask(get, { campaignId: 'camp_club' })).status).toBe(404);
  });

  test('take their tiers, rules and what is assigned to these along', async () => {
    const world = await newWorld({
      campaigns: [programme('camp_club')],
      validation_rules: [{ id: 'val_1', name: 'One' }],
    });
    const path = { campaignId: 'camp_club' };
    const rules = [{ event: 'order.paid', loyalty: { type: 'FIXED', points: 1 }, validation_rule_id: 'val_1' }];
    expect((await world.ask(createRules, path, { body: rules })).status).toBe(200);
    expect((await world.ask(createTiers, path, { body: [{ name: 'T', points: { from: 0 } }] })).status).toBe(200);
    await world.ask(remove, path, { query: 'force=true' });
    await world.run();
    const left = (await itemsOf(world.project.id, '', world.dependencies)).filter(
      (item) =>
        !/#(?:JOB|TOTAL)#/.test(String(item.pk)) && /camp_club|earning_rule|LOYALTY_TIER/.test(JSON.stringify(item)),
    );
    expect(left).toEqual([]);
  });
});

const tier = (name: string, from: number, to?: number, more: object = {}) => ({
  name,
  points: { from, ...(to === undefined ? {} : { to }) },
  ...more,
});

const club = {
  campaigns: [programme('camp_club'), programme('camp_other')],
  customers: ['ada', 'bob', 'eve'].map((name) => ({ id: `cust_${name}`, name })),
  vouchers: [
    card('ADA', 120, { holder_id: 'cust_ada' }),
    card('BOB', 20, { holder_id: 'cust_bob' }),
    card('EVE', 5, { holder_id: 'cust_eve', loyalty_card: { points: 5, balance: 5, standing: null } }),
  ],
  rewards: [{ id: 'rew_1', name: 'Mug', type: 'MATERIAL', parameters: {} }],
  reward_assignments: [
    { id: 'rewa_1', reward_id: 'rew_1', related_object_id: 'camp_club', related_object_type: 'campaign' },
  ],
  event_schema: [{ name: 'visit', metadata: {} }],
  earning_rules: [
    { id: 'ern_1', campaign_id: 'camp_club', event: 'visit', active: true, loyalty: { type: 'FIXED', points: 5 } },
    { id: 'ern_2', campaign_id: 'camp_other', event: 'visit', active: true, loyalty: { type: 'FIXED', points: 5 } },
  ],
};
const path = { campaignId: 'camp_club' };

describe('loyalty tiers', () => {
  test('are made together, and stand in the order of their points', async () => {
    const { ask } = await newWorld(club);
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
  ])('that name %s are not made, nor any beside them', async (_, body, type) => {
    const { ask } = await newWorld(club);
    const refused = await ask(createTiers, path, { body });
    expect([refused.status, refused.body.resource_type]).toEqual([404, type]);
    expect((await ask(listTiers, path)).body.total).toBe(0);
  });

  test('every fault is told at once', async () => {
    const { ask } = await newWorld(club);
    const body = [tier('A', 5, 4), { points: { from: 1.5 }, rewards: { rewa_1: { type: 'HALVE' } } }];
    const { status, body: told } = await ask(createTiers, path, { body });
    expect([status, told.key]).toEqual([400, 'invalid_payload']);
    for (const place of ['[0].points', '[1].name', '[1].points.from', '[1].rewards.rewa_1.type'])
      expect(told.details).toContain(place);
    expect((await ask(createTiers, path, { body: [] })).status).toBe(400);
  });

  test('of twenty requests at once, each is made whole or refused, and no programme gets more than fifty', async () => {
    const { ask } = await newWorld(club);
    const some = [tier('A', 0), tier('B', 1), tier('C', 2)];
    const made = await Promise.all(Array.from({ length: 20 }, () => ask(createTiers, path, { body: some })));
    const refused = made.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.key)).toEqual(Array(4).fill('too_many_resources'));
    expect((await ask(listTiers, path, { query: 'limit=100' })).body.total).toBe(48);
  }, 60_000);

  test('members move into them behind the reply, once each, however often the job is delivered and cut off', async () => {
    const { ask, dependencies, project, told, run } = await newWorld(club);
    await ask(createTiers, path, { body: [tier('New', 0, 99), tier('Gold', 100)] });
    const jobs = (await openJobs(project.id, dependencies)).filter(({ kind }) => kind === 'settle-members');
    expect(jobs).toHaveLength(1);
    for (const calls of [2, 5, 9]) await deliver(jobs, mortal(calls, true)).catch(() => undefined);
    await Promise.all([deliver(jobs, dependencies), deliver(jobs, dependencies)]);
    await run();
    expect([await told('cust_eve'), await told('cust_bob')]).toEqual([['joined'], []]);
  });
});

describe('new dates of a programme', () => {
  const kept = (extend: string) => ({
    qualification_type: 'BALANCE',
    expiration_date: { type: 'CUSTOM', extend, rounding: { type: 'MONTH', strategy: 'END' } },
  });

  test('are given to members who are in a tier where that is asked for, are told, and let nobody fall', async () => {
    const { ask, run, tierOf, told } = await newWorld({
      ...club,
      loyalty_tiers: [
        { id: 'ltr_new', campaign_id: 'camp_club', ...tier('New', 0, 99) },
        { id: 'ltr_gold', campaign_id: 'camp_club', ...tier('Gold', 100) },
      ],
    });
    // From now on the card knows where it stands.
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

test('a card that is added later has the points of the programme as it is then', async () => {
  const { ask, run } = await newWorld(club);
  await ask(update, path, { body: { loyalty_card: { points: 40 } } });
  await run();
  const { status, body } = await ask(addVouchers, { ...path, code: 'LATE' }, { body: {} });
  expect([status, body.loyalty_card?.balance]).toEqual([200, 40]);
});

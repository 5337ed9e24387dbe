import { describe, expect, test } from 'vitest';
import { handler as addVouchers } from '../../functions/campaigns/add-voucher-with-code.ts';
import { handler as createRules } from '../../functions/loyalties/create-earning-rules.ts';
import { handler as create } from '../../functions/loyalties/create-loyalty-campaign.ts';
import { handler as createTiers } from '../../functions/loyalties/create-loyalty-tiers.ts';
import { handler as remove } from '../../functions/loyalties/delete-loyalty-campaign.ts';
import { handler as get } from '../../functions/loyalties/get-loyalty-campaign.ts';
import { handler as list } from '../../functions/loyalties/list-loyalty-campaigns.ts';
import { handler as update } from '../../functions/loyalties/update-loyalty-campaign.ts';
import { programme } from '../support/loyalty.ts';
import { itemsOf } from '../support/outbox.ts';
import { club, openProgrammes, path } from '../support/programmes.ts';

const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: '100' } };
const named = (name: string, more: object = {}) => ({ name, voucher, ...more });

describe('loyalty programmes', () => {
  test("are created with a programme's defaults, and are campaigns like any other", async () => {
    const { ask, run } = await openProgrammes();
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

  test('need a name and a card, have no other kind, and report every fault at once', async () => {
    const { ask } = await openProgrammes();
    const { status, body } = await ask(create, {}, { body: { campaign_type: 'PROMOTION', type: 'STANDALONE' } });
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    for (const place of ['name is required', 'campaign_type must be', 'voucher is required', 'type must be one of']) {
      expect(body.details).toContain(place);
    }
  });

  test('of one name are created once by twenty simultaneous requests', async () => {
    const { ask } = await openProgrammes();
    const made = await Promise.all(Array.from({ length: 20 }, () => ask(create, {}, { body: named('Only') })));
    expect(made.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect((await ask(list)).body).toMatchObject({ total: 1, data_ref: 'campaigns' });
  });

  test('have a list of their own, the newest first', async () => {
    const { ask } = await openProgrammes({
      categories: [{ id: 'cat_1', name: 'One' }],
      campaigns: [
        programme('camp_old', { category: 'One', created_at: '2026-01-01T00:00:00Z' }),
        programme('camp_new', { created_at: '2026-02-01T00:00:00Z' }),
        { id: 'camp_coupons', name: 'Coupons', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
      ],
    });
    const idsOf = async (query: string) =>
      (await ask(list, {}, { query })).body.campaigns.map(({ id }: { id: string }) => id);
    expect(await idsOf('')).toEqual(['camp_new', 'camp_old']);
    expect(await idsOf('order=created_at&limit=1&page=2')).toEqual(['camp_new']);
    const { body } = await ask(list, {}, { query: 'expand=category&order=created_at' });
    expect([body.total, body.campaigns[0].categories[0].name]).toEqual([2, 'One']);
  });

  test('are changed and deleted under this path, and other campaigns are a 404', async () => {
    const { ask, run } = await openProgrammes({
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

  test('are deleted with their tiers, rules and assignments', async () => {
    const world = await openProgrammes({
      campaigns: [programme('camp_club')],
      validation_rules: [{ id: 'val_1', name: 'One' }],
    });
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

test("give a card that is added later the programme's present points", async () => {
  const { ask, run } = await openProgrammes(club);
  await ask(update, path, { body: { loyalty_card: { points: 40 } } });
  await run();
  const { status, body } = await ask(addVouchers, { ...path, code: 'LATE' }, { body: {} });
  expect([status, body.loyalty_card?.balance]).toEqual([200, 40]);
});

import { expect } from 'vitest';
import { answeredBy, type Case, type Client, list } from './case.ts';

/** Creates a programme of the caller's own, with a new reward. */
export async function newProgramme(client: Client, name: string) {
  const voucher = { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } } as const;
  const { id } = await client.loyalties.create({ name, voucher, vouchers_count: 0 });
  const product = { id: 'prod_filter' };
  const reward = await client.rewards.create({ name: `A gift of ${name}`, type: 'MATERIAL', parameters: { product } });
  return { id, reward: reward.id };
}

const fixed = (points: number) => ({ event: 'order.paid', loyalty: { type: 'FIXED' as const, points } });

async function newRule(client: Client, name: string) {
  const programme = await newProgramme(client, name);
  const [rule] = await client.loyalties.createEarningRule(programme.id, [fixed(5)]);
  return { programme: programme.id, rule: rule?.id ?? '' };
}

/** Rows for the client's methods about programmes, their tiers and earning rules. */
export const programmeCases: Record<string, Case> = {
  'loyalties.create': answeredBy('create-loyalty-campaign', async (client) => {
    const created = await client.loyalties.create({
      name: 'Night crew',
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 20 } },
      metadata: { origin: 'sdk' },
    });
    expect(created).toMatchObject({
      id: expect.stringMatching(/^camp_/),
      name: 'Night crew',
      campaign_type: 'LOYALTY_PROGRAM',
      voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 20 } },
      metadata: { origin: 'sdk' },
      object: 'campaign',
    });
  }),
  'loyalties.list': answeredBy('list-loyalty-campaigns', async (client) => {
    const { campaigns = [], ...rest } = await client.loyalties.list({ limit: 1, page: 1 });
    expect(rest).toMatchObject({ object: 'list', data_ref: 'campaigns', total: expect.any(Number) });
    expect(campaigns).toMatchObject([{ campaign_type: 'LOYALTY_PROGRAM' }]);
  }),
  'loyalties.update': answeredBy('update-loyalty-campaign', async (client) => {
    const { id } = await newProgramme(client, 'To be changed');
    const change = { description: 'Now by boat', metadata: { by: 'boat' } };
    expect(await client.loyalties.update({ id, ...change })).toMatchObject({ id, ...change });
  }),
  'loyalties.delete': answeredBy('delete-loyalty-campaign', async (client) => {
    const { id } = await newProgramme(client, 'Gone at once');
    await client.loyalties.delete(id, { force: true });
    await expect(client.loyalties.get(id)).rejects.toMatchObject({ code: 404 });
  }),
  'loyalties.createEarningRule': answeredBy('create-earning-rules', async (client) => {
    const { id } = await newProgramme(client, 'Earns by the amount');
    const order = { amount: { every: 500, points: 2 } };
    const loyalty = { type: 'PROPORTIONAL', calculation_type: 'ORDER_AMOUNT', order } as const;
    const made = await client.loyalties.createEarningRule(id, [
      { event: 'order.paid', loyalty, source: { banner: 'Two for five' } },
      { event: 'customer.segment.entered', segment: { id: 'seg_regulars' }, loyalty: { type: 'FIXED', points: 9 } },
    ]);
    expect(made).toMatchObject([
      {
        id: expect.stringMatching(/^ern_/),
        loyalty,
        event: 'order.paid',
        source: { banner: 'Two for five', object_id: id, object_type: 'campaign' },
        active: true,
        validation_rule_id: null,
        automation_id: expect.stringMatching(/^auto_/),
        object: 'earning_rule',
      },
      { event: 'customer.segment.entered', segment: { id: 'seg_regulars' } },
    ]);
  }),
  'loyalties.listEarningRules': answeredBy('list-earning-rules', async (client) => {
    const { programme, rule } = await newRule(client, 'Lists its rules');
    const found = await client.loyalties.listEarningRules(programme, { limit: 5, page: 1 });
    expect(found).toMatchObject({ ...list, total: 1, data: [{ id: rule }] });
  }),
  'loyalties.getEarningRule': answeredBy('get-earning-rule', async (client) => {
    expect(await client.loyalties.getEarningRule('Harbour Crew', 'ern_cup')).toMatchObject({
      id: 'ern_cup',
      event: 'cup_returned',
      loyalty: { type: 'FIXED', points: 10 },
    });
  }),
  'loyalties.updateEarningRule': answeredBy('update-earning-rule', async (client) => {
    const { programme, rule } = await newRule(client, 'Changes a rule');
    // The library's own type has the points, but not the type that accompanies them.
    const change = { loyalty: { type: 'FIXED', points: 12 }, source: { banner: 'More' } };
    const changed = await client.loyalties.updateEarningRule(programme, { id: rule, ...change });
    expect(changed).toMatchObject({ id: rule, event: 'order.paid', ...change });
  }),
  'loyalties.disableEarningRule': answeredBy('disable-earning-rule', async (client) => {
    const { programme, rule } = await newRule(client, 'Switches a rule off');
    const off = await client.loyalties.disableEarningRule(programme, rule);
    expect(off).toMatchObject({ id: rule, active: false, updated_at: expect.any(String) });
  }),
  'loyalties.enableEarningRule': answeredBy('enable-earning-rule', async (client) => {
    const { programme, rule } = await newRule(client, 'Switches a rule on');
    await client.loyalties.disableEarningRule(programme, rule);
    expect(await client.loyalties.enableEarningRule(programme, rule)).toMatchObject({ id: rule, active: true });
  }),
  'loyalties.deleteEarningRule': answeredBy('delete-earning-rule', async (client) => {
    const { programme, rule } = await newRule(client, 'Loses a rule');
    await client.loyalties.deleteEarningRule(programme, rule);
    await expect(client.loyalties.getEarningRule(programme, rule)).rejects.toMatchObject({ code: 404 });
  }),
  'loyalties.createTiers': answeredBy('create-loyalty-tiers', async (client) => {
    const { programme, rule } = await newRule(client, 'Has tiers');
    const tiers = [
      { name: 'Low', points: { from: 0, to: 99 } },
      {
        name: 'High',
        points: { from: 100 },
        earning_rules: { [rule]: { type: 'MULTIPLY' as const, multiplier: 3 } },
        metadata: { flag: true },
      },
    ];
    const made = await client.loyalties.createTiers(programme, tiers);
    expect(made).toMatchObject(
      tiers.map((tier) => ({ ...tier, campaign_id: programme, config: { points: tier.points } })),
    );
    const high = made[1]?.id ?? '';
    expect(await client.loyalties.listLoyaltyTierEarningRules(programme, high)).toMatchObject({
      data: [{ id: rule, loyalty: { points: 15 } }],
    });
  }),
  'loyalties.listTiers': answeredBy('list-loyalty-tiers', async (client) => {
    const found = await client.loyalties.listTiers('camp_crew', { limit: 2, page: 1, order: 'created_at' });
    expect(found).toMatchObject({
      ...list,
      total: 3,
      data: [{ object: 'loyalty_tier' }, { campaign_id: 'camp_crew' }],
    });
  }),
  'loyalties.getTier': answeredBy('get-loyalty-tier', async (client) => {
    expect(await client.loyalties.getTier('camp_crew', 'ltr_captain')).toMatchObject({
      id: 'ltr_captain',
      earning_rules: { ern_purchase: { type: 'MULTIPLY', multiplier: 2 } },
      object: 'loyalty_tier',
    });
  }),
  'loyalties.listLoyaltyTierEarningRules': answeredBy('list-loyalty-tier-earning-rules', async (client) => {
    const found = await client.loyalties.listLoyaltyTierEarningRules('camp_crew', 'ltr_captain', { limit: 1 });
    expect(found).toMatchObject({ ...list, total: 5, data: [{ object: 'earning_rule' }] });
  }),
  'loyalties.get': answeredBy('get-loyalty-campaign', async (client) => {
    expect(await client.loyalties.get('camp_crew')).toMatchObject({
      id: 'camp_crew',
      name: 'Harbour Crew',
      campaign_type: 'LOYALTY_PROGRAM',
      voucher: { type: 'LOYALTY_CARD' },
      object: 'campaign',
    });
  }),
};

import { expect } from 'vitest';
import { testTime } from '../support/dependencies.ts';
import { answeredBy, type Case, type Client, DiscountVouchersTypesEnum, list } from './case.ts';

const action = (amount: number) => ({ discount: { type: DiscountVouchersTypesEnum.AMOUNT, amount_off: amount } });

/** Creates a campaign with two tiers and a stack of both. */
export async function newPromotion(client: Client, name: string) {
  const { id } = await client.promotions.create({ name, campaign_type: 'PROMOTION' });
  const low = await client.promotions.tiers.create(id, { name: 'Low', banner: 'Low', action: action(100) });
  const high = await client.promotions.tiers.create(id, { name: 'High', banner: 'High', action: action(200) });
  const ids = [low.id, high.id];
  const stack = await client.promotions.stack.createInCampaign(id, { name: 'Both', tiers: { ids } });
  return { id, low, high, ids, stack };
}

const order = { amount: 900 };

/** Rows for the client's methods about promotions, their tiers and stacks. */
export const promotionCases: Record<string, Case> = {
  'promotions.tiers.listAll': answeredBy('list-promotion-tiers', async (client) => {
    const all = await client.promotions.tiers.listAll();
    expect(all).toMatchObject({ object: 'list', data_ref: 'tiers', has_more: false });
    const ids = ['promo_two_bags', 'promo_four_bags', 'promo_crate', 'promo_rainy_day'];
    expect(all.tiers.map(({ id }) => id)).toEqual(ids);
    const available = await client.promotions.tiers.listAll({ is_available: true, limit: 1, page: 1 });
    expect(available.tiers).toHaveLength(1);
  }),
  'promotions.tiers.list': answeredBy('list-campaign-promotion-tiers', async (client) => {
    const { tiers } = await client.promotions.tiers.list('Bean basket');
    expect(tiers.map(({ campaign }) => campaign?.id)).toEqual(Array(4).fill('camp_beans'));
  }),
  'promotions.tiers.get': answeredBy('get-promotion-tier', async (client) => {
    expect(await client.promotions.tiers.get('promo_two_bags')).toMatchObject({
      id: 'promo_two_bags',
      name: 'Two bags',
      object: 'promotion_tier',
      action: { discount: { type: 'PERCENT', percent_off: 5 } },
    });
  }),
  'promotions.tiers.update': answeredBy('update-promotion-tier', async (client) => {
    // Callers often read a tier, change one field and send the whole tier back.
    const tier = await client.promotions.tiers.get('promo_two_bags');
    const updated = await client.promotions.tiers.update({ ...tier, banner: 'Two bags: 6 % off' });
    const changed = { banner: 'Two bags: 6 % off', updated_at: testTime.toISOString() };
    expect(updated).toEqual({ ...tier, ...changed });
  }),
  'promotions.create': answeredBy('create-campaign', async (client) => {
    const action = { discount: { type: DiscountVouchersTypesEnum.AMOUNT, amount_off: 500 } };
    const promotion = { tiers: [{ name: 'Silver', banner: 'First', action }] };
    expect(
      await client.promotions.create({ name: 'Of the client', campaign_type: 'PROMOTION', promotion }),
    ).toMatchObject({
      campaign_type: 'PROMOTION',
      vouchers_generation_status: 'DONE',
      promotion: { tiers: [{ name: 'Silver', hierarchy: 1, action }], has_more: false },
    });
  }),
  'promotions.tiers.create': answeredBy('create-promotion-tier', async (client) => {
    const { id } = await client.promotions.create({ name: 'Without tiers', campaign_type: 'PROMOTION' });
    const sent = { name: 'Gold', banner: 'Gold: 3 off', action: action(300), metadata: { a: 1 } };
    const made = await client.promotions.tiers.create(id, sent);
    expect(made).toMatchObject({
      ...sent,
      id: expect.stringMatching(/^promo_/),
      hierarchy: 1,
      active: true,
      campaign: { id, object: 'campaign' },
      object: 'promotion_tier',
    });
  }),
  'promotions.tiers.delete': answeredBy('delete-promotion-tier', async (client) => {
    const { id, low, stack } = await newPromotion(client, 'Loses a tier');
    await client.promotions.stack.delete(id, stack.id);
    await client.promotions.tiers.delete(low.id);
    await expect(client.promotions.tiers.get(low.id)).rejects.toMatchObject({ code: 404 });
  }),
  'promotions.stack.createInCampaign': answeredBy('create-promotion-stack', async (client) => {
    const { id, ids, stack } = await newPromotion(client, 'Is given a stack');
    expect(stack).toMatchObject({
      id: expect.stringMatching(/^stack_/),
      name: 'Both',
      tiers: { ids },
      campaign_id: id,
      category_id: null,
      categories: [],
      object: 'promotion_stack',
    });
  }),
  'promotions.stack.get': answeredBy('get-promotion-stack', async (client) => {
    expect(await client.promotions.stack.get('camp_beans', 'stack_bags')).toMatchObject({
      id: 'stack_bags',
      tiers: { ids: ['promo_two_bags', 'promo_crate'] },
      category_id: 'cat_counter',
      categories: [{ id: 'cat_counter', name: 'Counter' }],
    });
  }),
  'promotions.stack.list': answeredBy('list-promotion-stacks', async (client) => {
    const found = await client.promotions.stack.list({
      limit: 2,
      order: 'created_at',
      created_at: { before: '2026-01-12T00:00:00Z' },
    });
    expect(found).toMatchObject({ ...list, total: 2, data: [{ id: 'stack_bags' }, { id: 'stack_crates' }] });
  }),
  'promotions.stack.listInCampaign': answeredBy('list-campaign-promotion-stacks', async (client) => {
    const { id, stack } = await newPromotion(client, 'Lists its stacks');
    const found = await client.promotions.stack.listInCampaign(id);
    expect(found).toMatchObject({ ...list, total: 1, data: [{ id: stack.id }] });
  }),
  'promotions.stack.update': answeredBy('update-promotion-stack', async (client) => {
    const { id, ids, stack } = await newPromotion(client, 'Changes a stack');
    const change = { name: 'Turned round', tiers: { ids: ids.toReversed() } };
    const changed = await client.promotions.stack.update(id, stack.id, change);
    expect(changed).toMatchObject({ id: stack.id, ...change, updated_at: expect.any(String) });
  }),
  'promotions.stack.delete': answeredBy('delete-promotion-stack', async (client) => {
    const { id, stack } = await newPromotion(client, 'Loses a stack');
    await client.promotions.stack.delete(id, stack.id);
    await expect(client.promotions.stack.get(id, stack.id)).rejects.toMatchObject({ code: 404 });
  }),
  'promotions.validate': answeredBy('validate-promotions', async (client) => {
    const { ids } = await newPromotion(client, 'Is found by the cart');
    const found = await client.promotions.validate({ order });
    expect(found.valid).toBe(true);
    expect(found.promotions?.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  }),
  'promotions.tiers.redeem': answeredBy('redeem-promotion-tier', async (client) => {
    const { low } = await newPromotion(client, 'Is redeemed');
    expect(await client.promotions.tiers.redeem(low.id, { order })).toMatchObject({
      object: 'redemption',
      result: 'SUCCESS',
      promotion_tier: { id: low.id },
      order: { total_discount_amount: 100 },
    });
  }),
};

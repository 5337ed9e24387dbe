import { expect } from 'vitest';
import { type Case, type Client, DiscountVouchersTypesEnum } from './case.ts';

const list = { object: 'list', data_ref: 'data' };

const action = (amount: number) => ({ discount: { type: DiscountVouchersTypesEnum.AMOUNT, amount_off: amount } });

/** A campaign with two tiers and a stack of both. */
async function newPromotion(client: Client, name: string) {
  const { id } = await client.promotions.create({ name, campaign_type: 'PROMOTION' });
  const low = await client.promotions.tiers.create(id, { name: 'Low', banner: 'Low', action: action(100) });
  const high = await client.promotions.tiers.create(id, { name: 'High', banner: 'High', action: action(200) });
  const ids = [low.id, high.id];
  const stack = await client.promotions.stack.createInCampaign(id, { name: 'Both', tiers: { ids } });
  return { id, low, high, ids, stack };
}

/** A code of the caller's own, to be used once: 1 off. */
async function newCode(client: Client): Promise<string> {
  const discount = { type: DiscountVouchersTypesEnum.AMOUNT, amount_off: 100 };
  const { code = '' } = await client.vouchers.create({
    type: 'DISCOUNT_VOUCHER',
    discount,
    redemption: { quantity: 1 },
  });
  return code;
}

const order = { amount: 900 };

/** What a caller asks of the methods of promotions, and before an order is paid. */
export function promotionCases(client: () => Client): Record<string, Case> {
  return {
    'promotions.tiers.create': {
      operation: 'create-promotion-tier',
      check: async () => {
        const { id } = await client().promotions.create({ name: 'Without tiers', campaign_type: 'PROMOTION' });
        const sent = { name: 'Gold', banner: 'Gold: 3 off', action: action(300), metadata: { a: 1 } };
        const made = await client().promotions.tiers.create(id, sent);
        expect(made).toMatchObject({
          ...sent,
          id: expect.stringMatching(/^promo_/),
          hierarchy: 1,
          active: true,
          campaign: { id, object: 'campaign' },
          object: 'promotion_tier',
        });
      },
    },
    'promotions.tiers.delete': {
      operation: 'delete-promotion-tier',
      check: async () => {
        const { id, low, stack } = await newPromotion(client(), 'Loses a tier');
        await client().promotions.stack.delete(id, stack.id);
        await client().promotions.tiers.delete(low.id);
        await expect(client().promotions.tiers.get(low.id)).rejects.toMatchObject({ code: 404 });
      },
    },
    'promotions.stack.createInCampaign': {
      operation: 'create-promotion-stack',
      check: async () => {
        const { id, ids, stack } = await newPromotion(client(), 'Is given a stack');
        expect(stack).toMatchObject({
          id: expect.stringMatching(/^stack_/),
          name: 'Both',
          tiers: { ids, hierarchy_mode: 'MANUAL' },
          campaign_id: id,
          category_id: null,
          categories: [],
          object: 'promotion_stack',
        });
      },
    },
    'promotions.stack.get': {
      operation: 'get-promotion-stack',
      check: async () => {
        expect(await client().promotions.stack.get('camp_beans', 'stack_bags')).toMatchObject({
          id: 'stack_bags',
          tiers: { ids: ['promo_two_bags', 'promo_crate'] },
          category_id: 'cat_counter',
          categories: [{ id: 'cat_counter', name: 'Counter' }],
        });
      },
    },
    'promotions.stack.list': {
      operation: 'list-promotion-stacks',
      check: async () => {
        const found = await client().promotions.stack.list({
          limit: 2,
          order: 'created_at',
          created_at: { before: '2026-01-12T00:00:00Z' },
        });
        expect(found).toMatchObject({ ...list, total: 2, data: [{ id: 'stack_bags' }, { id: 'stack_crates' }] });
      },
    },
    'promotions.stack.listInCampaign': {
      operation: 'list-campaign-promotion-stacks',
      check: async () => {
        const { id, stack } = await newPromotion(client(), 'Lists its stacks');
        const found = await client().promotions.stack.listInCampaign(id);
        expect(found).toMatchObject({ ...list, total: 1, data: [{ id: stack.id }] });
      },
    },
    'promotions.stack.update': {
      operation: 'update-promotion-stack',
      check: async () => {
        const { id, ids, stack } = await newPromotion(client(), 'Changes a stack');
        const change = { name: 'Turned round', tiers: { ids: ids.toReversed() } };
        const changed = await client().promotions.stack.update(id, stack.id, change);
        expect(changed).toMatchObject({ id: stack.id, ...change, updated_at: expect.any(String) });
      },
    },
    'promotions.stack.delete': {
      operation: 'delete-promotion-stack',
      check: async () => {
        const { id, stack } = await newPromotion(client(), 'Loses a stack');
        await client().promotions.stack.delete(id, stack.id);
        await expect(client().promotions.stack.get(id, stack.id)).rejects.toMatchObject({ code: 404 });
      },
    },
    'validations.validateStackable': {
      operation: 'validate-redeemables',
      check: async () => {
        const { ids } = await newPromotion(client(), 'Is validated');
        const tiers = ids.map((id) => ({ object: 'promotion_tier' as const, id }));
        const validated = await client().validations.validateStackable({
          redeemables: [{ object: 'voucher', id: await newCode(client()) }, ...tiers],
          order,
          options: { expand: ['order', 'redeemable'] },
        });
        expect(validated).toMatchObject({
          valid: true,
          redeemables: [
            { status: 'APPLICABLE', order: { total_discount_amount: 100 } },
            { status: 'APPLICABLE', object: 'promotion_tier' },
            { status: 'APPLICABLE', object: 'promotion_tier' },
          ],
          order: { amount: 900, total_discount_amount: 400, total_amount: 500 },
          stacking_rules: { redeemables_limit: 30, redeemables_application_mode: 'ALL' },
        });
        const refused = await client().validations.validateStackable({
          redeemables: [{ object: 'voucher', id: 'NOPE' }],
        });
        expect(refused).toMatchObject({
          valid: false,
          redeemables: [{ status: 'INAPPLICABLE', id: 'NOPE', result: { error: { code: 404, key: 'not_found' } } }],
        });
      },
    },
    'validations.validateVoucher': {
      operation: 'validate-voucher',
      check: async () => {
        const code = await newCode(client());
        const validated = await client().validations.validateVoucher(code, { order });
        expect(validated).toMatchObject({ valid: true, code, order: { total_amount: 800 } });
        const refused = await client().validations.validateVoucher('NOPE', { order });
        expect(refused).toMatchObject({ valid: false, code: 'NOPE', error: { code: 404, key: 'not_found' } });
      },
    },
    'validations.validate': {
      operation: 'validate-voucher',
      check: async () => {
        const code = await newCode(client());
        expect(await client().validations.validate(code, { order })).toMatchObject({ valid: true, code });
      },
    },
    'promotions.validate': {
      operation: 'validate-promotions',
      check: async () => {
        const { ids } = await newPromotion(client(), 'Is found by the cart');
        const found = await client().promotions.validate({ order });
        expect(found.valid).toBe(true);
        expect(found.promotions?.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
      },
    },
    'promotions.tiers.redeem': {
      operation: 'redeem-promotion-tier',
      check: async () => {
        const { low } = await newPromotion(client(), 'Is redeemed');
        expect(await client().promotions.tiers.redeem(low.id, { order })).toMatchObject({
          object: 'redemption',
          result: 'SUCCESS',
          promotion_tier: { id: low.id },
          order: { total_discount_amount: 100 },
        });
      },
    },
    'redemptions.redeem': {
      operation: 'redeem-voucher',
      check: async () => {
        const code = await newCode(client());
        const redeemed = await client().redemptions.redeem(code, {
          order,
          customer: { object: 'customer', source_id: 'sdk-till' },
        });
        expect(redeemed).toMatchObject({
          object: 'redemption',
          result: 'SUCCESS',
          customer: { source_id: 'sdk-till' },
          voucher: { code, redemption: { quantity: 1, redeemed_quantity: 1 } },
          order: { amount: 900, total_discount_amount: 100 },
        });
        await expect(client().redemptions.redeem(code)).rejects.toMatchObject({ code: 400, key: 'quantity_exceeded' });
      },
    },
    'vouchers.releaseValidationSession': {
      operation: 'end-voucher-session',
      check: async () => {
        const redeemables = [{ object: 'voucher' as const, id: await newCode(client()) }];
        const session = { type: 'LOCK', ttl: 1, ttl_unit: 'DAYS' } as const;
        const { session: locked } = await client().validations.validateStackable({ redeemables, order, session });
        expect(locked).toMatchObject({ ...session, key: expect.any(String) });
        const key = locked?.key ?? '';
        await client().vouchers.releaseValidationSession(redeemables[0]?.id ?? '', key);
        const again = client().vouchers.releaseValidationSession(redeemables[0]?.id ?? '', key);
        await expect(again).rejects.toMatchObject({ code: 404 });
      },
    },
    'loyalties.redeemReward': {
      operation: 'redeem-campaign-member-reward',
      check: async () => {
        const asked = { reward: { id: 'rew_tin' }, metadata: { till: 3 } };
        const { loyalty_card: before } = await client().loyalties.getMember('camp_crew', 'CREW-INGRID');
        const redeemed = await client().loyalties.redeemReward('Harbour Crew', 'CREW-INGRID', asked);
        expect(redeemed).toMatchObject({
          id: expect.stringMatching(/^r_/),
          object: 'redemption',
          customer_id: 'cust_ingrid',
          amount: 400,
          result: 'SUCCESS',
          reward: {
            id: 'rew_tin',
            type: 'CAMPAIGN',
            assignment_id: 'rewa_tin',
            voucher: { campaign: 'Gift tins', code: expect.stringMatching(/^TIN-/) },
          },
          voucher: { code: 'CREW-INGRID', loyalty_card: { balance: before.balance - 400 } },
        });
        const { code = '' } = (redeemed.reward as { voucher?: { code?: string } }).voucher ?? {};
        expect(await client().vouchers.get(code)).toMatchObject({
          holder_id: 'cust_ingrid',
          gift: { balance: 10_000 },
        });
      },
    },
  };
}

import { describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../functions/campaigns/create-campaign.ts';
import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { handler as disableCampaign } from '../../functions/campaigns/disable-campaign.ts';
import { handler as updateCampaign } from '../../functions/campaigns/update-campaign.ts';
import { handler as createTier } from '../../functions/promotions/create-promotion-tier.ts';
import { handler as deleteTier } from '../../functions/promotions/delete-promotion-tier.ts';
import { handler as disableTier } from '../../functions/promotions/disable-promotion-tier.ts';
import { handler as updateTier } from '../../functions/promotions/update-promotion-tier.ts';
import { handler as validatePromotions } from '../../functions/promotions/validate-promotions.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { handler } from '../../functions/qualifications/qualify.ts';
import { handler as assignRule } from '../../functions/validation-rules/create-validation-rule-assignment.ts';
import { handler as deleteRule } from '../../functions/validation-rules/delete-validation-rule.ts';
import { handler as updateRule } from '../../functions/validation-rules/update-validation-rule.ts';
import { caller } from '../support/call.ts';
import { newClient, testDependencies } from '../support/dependencies.ts';
import { loadFile, loadProject } from '../support/project.ts';

const day = (number: number) => `2026-05-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const off = (amount_off: number) => ({ type: 'AMOUNT', amount_off, effect: 'APPLY_TO_ORDER' });

/** Each a day younger than the one before. */
const tiers = (...amounts: number[]) =>
  amounts.map((amount, index) => ({
    id: `promo_${index + 1}`,
    name: `Tier ${index + 1}`,
    campaign_id: 'camp_tiers',
    hierarchy: index + 1,
    action: { discount: off(amount) },
    created_at: day(index + 1),
  }));

const spring = { id: 'camp_tiers', name: 'Spring', campaign_type: 'PROMOTION', type: 'STATIC' };

async function shop(lists: Record<string, unknown[]>) {
  const { credentials: headers } = await loadProject({ campaigns: [spring], ...lists });
  return asking(headers);
}

function asking(headers: Record<string, string>) {
  return async (body: Record<string, unknown> = {}) => {
    const reply = await caller(handler)({ headers, body: { order: { amount: 1_000 }, ...body } });
    return { ...reply, ids: reply.body.redeemables?.data.map(({ id }: { id: string }) => id) };
  };
}

describe('what qualifies', () => {
  test('is shown newest first, each by itself on the order, and in pages', async () => {
    const ask = await shop({ promotion_tiers: tiers(100, 200, 300) });
    const { body, ids } = await ask({ options: { limit: 2 } });
    expect(ids).toEqual(['promo_3', 'promo_2']);
    expect(body.redeemables).toMatchObject({ total: 2, has_more: true, more_starting_after: day(2) });
    expect(body.redeemables.data.map(({ order }: { order: unknown }) => order)).toMatchObject([
      { amount: 1_000, total_discount_amount: 300, total_amount: 700 },
      { amount: 1_000, total_discount_amount: 200, total_amount: 800 },
    ]);
    const rest = await ask({ options: { limit: 2, starting_after: body.redeemables.more_starting_after } });
    expect([rest.ids, rest.body.redeemables.has_more]).toEqual([['promo_1'], false]);
  });

  test('is told apart from what has not begun, is over, off, or refused by a rule', async () => {
    const [open, off, early, late, ruled] = tiers(1, 2, 3, 4, 5);
    const ask = await shop({
      promotion_tiers: [
        open,
        { ...off, active: false },
        { ...early, start_date: '2030-01-01T00:00:00Z' },
        { ...late, expiration_date: '2020-01-01T00:00:00Z' },
        ruled,
      ],
      validation_rules: [
        { id: 'val_1', name: 'Much', rules: { 1: { name: 'order.amount', conditions: { $more_than: [1_000] } } } },
      ],
      validation_rules_assignments: [
        { rule_id: 'val_1', related_object_id: 'promo_5', related_object_type: 'promotion_tier' },
      ],
    });
    expect((await ask()).ids).toEqual(['promo_1']);
    expect((await ask({ order: { amount: 1_001 } })).ids).toEqual(['promo_5', 'promo_1']);
  });
});

describe('rules that are looked through quickly', () => {
  const rules: Record<string, unknown>[] = [
    { 1: { name: 'order.amount', conditions: { $more_than: [1_500] } } },
    { 1: { name: 'order.amount', conditions: { $more_than_or_equal: [1_500] } } },
    { 1: { name: 'order.amount', conditions: { $less_than: [1_500] } } },
    { 1: { name: 'order.amount', conditions: { $is: [1_500] } } },
    { 1: { name: 'customer.segment', conditions: { $is: ['seg_vip'] } } },
    { 1: { name: 'customer.segment', conditions: { $is_not: ['seg_vip'] } } },
    { 1: { name: 'customer.metadata', property: 'vip', conditions: { $is: [true] } } },
    { 1: { name: 'order.items.any', conditions: { $is: ['prod_tea'] } } },
    { 1: { name: 'order.items.any', conditions: { $is: [{ id: 'pc_teas', object: 'products_collection' }] } } },
    { 1: { name: 'order.items.every', conditions: { $is: ['prod_tea', 'mug'] } } },
    { 1: { name: 'order.items.none', conditions: { $is: ['prod_tea'] } } },
    { 1: { name: 'order.items.any', conditions: { $is_not: ['prod_tea'] } } },
    { 1: { name: 'product.id', conditions: { $in: ['tea'] } } },
    { 1: { name: 'product.id', conditions: { $not_in: ['tea'] } } },
    {
      1: { name: 'order.items.any', conditions: { $is: ['prod_tea'] } },
      2: { name: 'order.amount', conditions: { $more_than: [1_500] } },
      logic: '1 or 2',
    },
    {
      1: { name: 'order.items.any', conditions: { $is: ['prod_tea'] } },
      2: { name: 'customer.segment', conditions: { $is: ['seg_vip'] } },
      3: { name: 'order.amount', conditions: { $more_than: [1_500] } },
      logic: '(1 and 2) or 3',
    },
  ];
  const items = {
    nothing: [],
    tea: [{ product_id: 'prod_tea', quantity: 3 }],
    'a mug by its own name': [{ source_id: 'mug', quantity: 1 }],
    both: [
      { product_id: 'prod_tea', quantity: 1 },
      { source_id: 'mug', quantity: 2 },
    ],
    'what nobody knows': [{ source_id: 'coal', quantity: 1, price: 1_500 }],
  };

  test('let in what a validation of each by itself lets in', async () => {
    const { credentials: headers } = await loadProject({
      campaigns: [spring],
      products: [
        { id: 'prod_tea', source_id: 'tea', name: 'Tea', price: 500 },
        { id: 'prod_mug', source_id: 'mug', name: 'Mug', price: 1_200 },
      ],
      product_collections: [
        { id: 'pc_teas', name: 'Teas', type: 'STATIC', products: [{ id: 'prod_tea', object: 'product' }] },
      ],
      segments: [
        {
          id: 'seg_vip',
          name: 'VIP',
          type: 'passive',
          filter: { junction: 'and', 'metadata.vip': { conditions: { $is: [true] } } },
        },
      ],
      customers: [
        { source_id: 'ada', metadata: { vip: true } },
        { source_id: 'eve', metadata: {} },
      ],
      promotion_tiers: tiers(...rules.map((_, index) => index + 1)),
      validation_rules: rules.map((one, index) => ({ id: `val_${index + 1}`, name: `Rule ${index}`, rules: one })),
      validation_rules_assignments: rules.map((_, index) => ({
        rule_id: `val_${index + 1}`,
        related_object_id: `promo_${index + 1}`,
        related_object_type: 'promotion_tier',
      })),
    });
    const ask = asking(headers);
    const validate = caller(validatePromotions);
    const byNumber = (one: string, other: string) => Number(one.slice(6)) - Number(other.slice(6));
    for (const [name, lines] of Object.entries(items)) {
      for (const customer of [{ source_id: 'ada' }, { source_id: 'eve' }, undefined]) {
        const body = { order: { items: lines }, ...(customer ? { customer } : {}) };
        const { ids } = await ask({ ...body, options: { limit: 50 } });
        const { promotions } = (await validate({ headers, body })).body;
        const valid = promotions.map(({ id }: { id: string }) => id).sort(byNumber);
        expect([name, customer, ids.sort(byNumber)]).toEqual([name, customer, valid]);
      }
    }
  });
});

describe('vouchers', () => {
  const coupon = (code: string, number: number, more: Record<string, unknown> = {}) => ({
    code,
    type: 'DISCOUNT_VOUCHER',
    discount: off(number * 10),
    created_at: day(number),
    ...more,
  });

  test('that the customer holds, that nobody holds, and campaigns that give some qualify; those of others do not', async () => {
    const ask = await shop({
      customers: [{ id: 'cust_1', source_id: 'ada' }, { id: 'cust_2' }],
      campaigns: [
        {
          id: 'camp_codes',
          name: 'Codes',
          campaign_type: 'DISCOUNT_COUPONS',
          type: 'STATIC',
          voucher: { type: 'DISCOUNT_VOUCHER', discount: off(5) },
          created_at: day(1),
        },
      ],
      vouchers: [
        coupon('OPEN', 2),
        coupon('MINE', 3, { campaign_id: 'camp_codes', discount: undefined, holder_id: 'cust_1' }),
        coupon('THEIRS', 4, { holder_id: 'cust_2' }),
        coupon('OF-CAMPAIGN', 5, { campaign_id: 'camp_codes' }),
        coupon('OFF', 6, { active: false }),
        { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 300 }, holder_id: 'cust_1', created_at: day(7) },
        { code: 'EMPTY', type: 'GIFT_VOUCHER', gift: { amount: 0 }, holder_id: 'cust_1', created_at: day(8) },
      ],
    });
    const customer = { source_id: 'ada' };
    const { body, ids } = await ask({ customer });
    expect(ids).toEqual(['GIFT', 'MINE', 'OPEN', 'camp_codes']);
    expect(body.redeemables.data.map(({ object }: { object: string }) => object)).toEqual([
      ...['voucher', 'voucher', 'voucher', 'campaign'],
    ]);
    expect(body.redeemables.data[0].result).toEqual({ gift: { balance: 300, credits: 300 } });
    expect((await ask({ customer, scenario: 'CUSTOMER_WALLET' })).ids).toEqual(['GIFT', 'MINE']);
    expect((await ask({ scenario: 'CUSTOMER_WALLET' })).ids).toEqual([]);
    const best = await ask({ customer, options: { sorting_rule: 'BEST_DEAL', limit: 2 } });
    expect([best.ids, best.body.redeemables.has_more]).toEqual([['GIFT', 'OPEN'], true]);
    expect((await ask({ customer, options: { sorting_rule: 'LEAST_DEAL' } })).ids).toEqual([
      ...['MINE', 'camp_codes', 'OPEN', 'GIFT'],
    ]);
    const owned = {
      holder_role: { conditions: { $is: ['OWNER'] } },
      voucher_type: { conditions: { $is: ['DISCOUNT_VOUCHER'] } },
    };
    expect((await ask({ customer, options: { filters: owned } })).ids).toEqual(['MINE']);
  });

  test('of one time follow each other page by page, and none is lost or shown twice, though many do not qualify', async () => {
    const codes = Array.from({ length: 70 }, (_, index) => `CODE-${String(index).padStart(2, '0')}`);
    const ask = await shop({
      vouchers: codes.map((code, index) =>
        coupon(code, 1, index % 10 === 0 ? {} : { expiration_date: '2020-01-01T00:00:00Z' }),
      ),
      promotion_tiers: tiers(1, 2),
    });
    const found: string[] = [];
    let from: string | undefined;
    for (let pages = 0; pages < 30; pages++) {
      const { body, ids } = await ask({ options: { limit: 2, ...(from ? { starting_after: from } : {}) } });
      found.push(...ids);
      from = body.redeemables.more_starting_after;
      if (!body.redeemables.has_more) break;
    }
    const open = codes.filter((_, index) => index % 10 === 0);
    expect(found.toSorted()).toEqual([...open, 'promo_1', 'promo_2']);
    expect(found[0]).toBe('promo_2');
    expect(found.at(-1)).toBe('promo_1');
  });

  test.each([
    ['used up', 60],
    ['of use', 0],
  ])('that a customer holds stand by their age among open ones in pages, where the newest are %s', async (_, spent) => {
    const time = (minute: number) => new Date(Date.UTC(2026, 4, 1, 0, minute)).toISOString();
    const codes = Array.from({ length: 90 }, (_, minute) =>
      coupon(`CODE-${minute}`, 1, {
        created_at: time(minute),
        ...(minute % 3 > 0 ? { holder_id: 'cust_1' } : {}),
        ...(minute >= 90 - spent ? { expiration_date: '2020-01-01T00:00:00Z' } : {}),
      }),
    );
    const { credentials: headers } = await loadProject({
      campaigns: [{ id: 'camp_codes', name: 'Codes', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' }],
      customers: [{ id: 'cust_1', source_id: 'ada' }],
      vouchers: [...codes, coupon('GIVEN', 1, { campaign_id: 'camp_codes', created_at: time(0) })],
    });
    const customer = { source_id: 'ada' };
    // The last that they came to hold is the oldest.
    const given = await caller(publish)({ headers, body: { customer, voucher: 'GIVEN' } });
    expect(given.status).toBe(200);
    const pages: string[][] = [];
    let from: string | undefined;
    do {
      const options = { limit: 7, ...(from ? { starting_after: from } : {}) };
      const { body, ids } = await asking(headers)({ customer, options });
      pages.push(ids);
      from = body.redeemables.more_starting_after;
    } while (from && pages.length < 30);
    const open = codes.slice(0, 90 - spent).map(({ code }) => code);
    const [campaign, ...shown] = pages.flat();
    expect(campaign).toBe('camp_codes');
    expect(shown.slice(0, -2)).toEqual(open.slice(1).reverse());
    expect(shown.slice(-2).sort()).toEqual(['CODE-0', 'GIVEN']);
    expect(pages.slice(0, -1).every((page) => page.length === 7)).toBe(true);
  });
});

describe('stacks', () => {
  test('qualify where all of their tiers apply, one after the other', async () => {
    const ask = await shop({
      promotion_tiers: [...tiers(100, 300), { ...tiers(1, 2, 3)[2], active: false }],
      promotion_stacks: [
        { id: 'stack_1', name: 'Two', campaign_id: 'camp_tiers', tiers: { ids: ['promo_2', 'promo_1'] } },
        { id: 'stack_2', name: 'Off', campaign_id: 'camp_tiers', tiers: { ids: ['promo_1', 'promo_3'] } },
      ],
    });
    const { body, ids } = await ask({ scenario: 'PROMOTION_STACKS', options: { expand: ['redeemable'] } });
    expect(ids).toEqual(['stack_1']);
    expect(body.redeemables.data[0]).toMatchObject({
      object: 'promotion_stack',
      name: 'Two',
      order: { total_amount: 600, total_applied_discount_amount: 400 },
      redeemables: [
        { id: 'promo_2', order: { total_amount: 700 } },
        { id: 'promo_1', order: { total_amount: 600 } },
      ],
    });
  });
});

describe('what operators change', () => {
  const rule = {
    id: 'val_1',
    name: 'Much',
    rules: { 1: { name: 'order.amount', conditions: { $more_than: [1_000] } } },
  };

  /** Changes are made by another container than the one that has the project in memory. */
  async function changing() {
    const project = await loadProject({
      campaigns: [spring],
      promotion_tiers: tiers(100, 200),
      validation_rules: [rule],
    });
    const { credentials: headers } = project;
    const other = testDependencies({ dynamodb: newClient() });
    const ask = asking(headers);
    const change = async (handler: Parameters<typeof caller>[0], request: Record<string, unknown>) => {
      const { status, body } = await caller(handler, other)({ headers, ...request });
      expect([200, 202, 204]).toContain(status);
      return body;
    };
    expect((await ask()).ids).toEqual(['promo_2', 'promo_1']);
    return { project, ask, change };
  }

  const promo_1 = { promotionTierId: 'promo_1' };

  test('of a tier shows at once: another discount, off, gone', async () => {
    const { ask, change } = await changing();
    await change(updateTier, { params: promo_1, body: { action: { discount: off(700) } } });
    expect((await ask()).body.redeemables.data[1].order.total_amount).toBe(300);
    await change(disableTier, { params: promo_1, body: {} });
    expect((await ask()).ids).toEqual(['promo_2']);
    await change(deleteTier, { params: { promotionTierId: 'promo_2' } });
    expect((await ask()).ids).toEqual([]);
    const made = await change(createTier, {
      params: { campaignId: 'camp_tiers' },
      body: { name: 'New', action: { discount: off(5) } },
    });
    expect((await ask()).ids).toEqual([made.id]);
  });

  test('of a rule shows at once: assigned, eased, gone', async () => {
    const { ask, change } = await changing();
    const params = { validationRuleId: 'val_1' };
    const body = { related_object_type: 'promotion_tier', related_object_id: 'promo_1' };
    await change(assignRule, { params, body });
    expect((await ask()).ids).toEqual(['promo_2']);
    await change(updateRule, {
      params,
      body: { rules: { 1: { name: 'order.amount', conditions: { $more_than: [10] } } } },
    });
    expect((await ask()).ids).toEqual(['promo_2', 'promo_1']);
    await change(deleteRule, { params });
    expect((await ask()).ids).toEqual(['promo_2', 'promo_1']);
  });

  test('of a campaign shows at once: its dates, off, gone, a new one', async () => {
    const { ask, change } = await changing();
    const params = { campaignId: 'camp_tiers' };
    await change(updateCampaign, { params, body: { expiration_date: '2020-01-01T00:00:00Z' } });
    expect((await ask()).ids).toEqual([]);
    await change(updateCampaign, { params, body: { expiration_date: '2040-01-01T00:00:00Z' } });
    expect((await ask()).ids).toHaveLength(2);
    await change(disableCampaign, { params, body: {} });
    expect((await ask()).ids).toEqual([]);
    await change(deleteCampaign, { params });
    const made = await change(createCampaign, {
      body: {
        name: 'Autumn',
        campaign_type: 'PROMOTION',
        promotion: { tiers: [{ name: 'One', action: { discount: off(1) } }] },
      },
    });
    expect((await ask()).ids).toEqual(made.promotion.tiers.map(({ id }: { id: string }) => id));
  });

  test('by loading a project file shows at once', async () => {
    const { project, ask } = await changing();
    const [first, second] = tiers(300, 200);
    await loadFile({ ...project.file, promotion_tiers: [first, { ...second, active: false }] });
    const { ids, body } = await ask();
    expect([ids, body.redeemables.data[0].order.total_amount]).toEqual([['promo_1'], 700]);
  });
});

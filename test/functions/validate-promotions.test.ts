import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/promotions/validate-promotions.ts';
import { caller } from '../support/call.ts';
import { promotionTier, validationRule } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

const day = (number: number) => `2026-05-${String(number).padStart(2, '0')}T00:00:00.000Z`;
const off = (amount_off: number, effect = 'APPLY_TO_ORDER') => ({ type: 'AMOUNT', amount_off, effect });
const campaigns = ['camp_1', 'camp_2'].map((id) => ({ id, name: id, campaign_type: 'PROMOTION', type: 'STATIC' }));
const tier = (id: string, discount: object, more: object = {}) =>
  promotionTier(
    { id: `promo_${id}`, name: id, campaign_id: 'camp_1', hierarchy: 1, created_at: day(1), ...more },
    discount,
  );

async function shop(lists: Record<string, unknown[]>) {
  const { credentials: headers } = await loadProject({ campaigns, ...lists });
  return async (query: string, body: object = { order: { amount: 1000 } }) => {
    const reply = await caller(handler)({ headers, query, body });
    return { ...reply, ids: reply.body.promotions?.map(({ id }: { id: string }) => id) };
  };
}

describe('with audienceRulesOnly', () => {
  const lists = {
    promotion_tiers: [
      tier('club', off(100), { hierarchy: 1 }),
      tier('lines', off(100, 'APPLY_TO_ITEMS'), { hierarchy: 2 }),
      tier('much', off(50), { hierarchy: 3 }),
      tier('closed', off(10), { hierarchy: 4, active: false }),
    ],
    validation_rules: [
      validationRule(
        'val_club',
        'Club, with much',
        { name: 'customer.metadata', property: 'club', conditions: { $is: [true] } },
        { name: 'order.amount', conditions: { $more_than: [5000] } },
      ),
      {
        id: 'val_much',
        name: 'Much',
        rules: { 1: { name: 'order.amount', conditions: { $more_than: [5000] } } },
        bundle_rules: {
          1: {
            name: 'order.items.any',
            conditions: { $is: [{ id: 'prod_tea', object: 'product', type: 'product_or_sku' }] },
            rules: { 1: { name: 'order.items.aggregated_quantity', conditions: { $is: [2] } } },
          },
        },
      },
    ],
    validation_rules_assignments: [
      { rule_id: 'val_club', related_object_type: 'promotion_tier', related_object_id: 'promo_club' },
      { rule_id: 'val_much', related_object_type: 'promotion_tier', related_object_id: 'promo_much' },
    ],
    customers: [
      { id: 'cust_in', source_id: 'in', metadata: { club: true } },
      { id: 'cust_out', source_id: 'out', metadata: {} },
    ],
  };
  const order = { amount: 1000 };

  test('rules about the order and bundles are not checked, and rules about the customer are', async () => {
    const ask = await shop(lists);
    const member = { customer: { id: 'cust_in' }, order };
    expect((await ask('', member)).ids).toEqual(['promo_lines']);
    expect((await ask('audienceRulesOnly=false', member)).ids).toEqual(['promo_lines']);
    const { body, ids } = await ask('audienceRulesOnly=true', member);
    expect([body.valid, ids]).toEqual([true, ['promo_club', 'promo_lines', 'promo_much']]);
    expect(body.promotions[0]).toMatchObject({ discount_amount: 100, order: { total_amount: 900 } });
    for (const others of [{ customer: { id: 'cust_out' }, order }, { order }]) {
      expect((await ask('audienceRulesOnly=true', others)).ids).toEqual(['promo_lines', 'promo_much']);
    }
  });

  test.each([
    ['no amount', { order: { items: [{ source_id: 'unknown' }] } }, 'promo_much', { effect: 'APPLY_TO_ORDER' }],
    ['no order', {}, 'promo_units', { effect: 'ADD_NEW_ITEMS' }],
  ])('a tier that the order does not complete is shown without figures: %s', async (_, body, id, discount) => {
    const units = { type: 'UNIT', unit_off: 1, unit_type: 'prod_5h1pp1ng', effect: 'ADD_NEW_ITEMS' };
    const ask = await shop({ ...lists, promotion_tiers: [...lists.promotion_tiers, tier('units', units)] });
    expect((await ask('', body)).ids).not.toContain(id);
    const reply = await ask('audienceRulesOnly=true', body);
    const lacking = reply.body.promotions.find((one: { id: string }) => one.id === id);
    expect(lacking).toMatchObject({ valid: true, id, discount });
    expect([lacking.discount_amount, lacking.error]).toEqual([undefined, undefined]);
  });
});

describe('tiers are searched', () => {
  test('by filters', async () => {
    const ask = await shop({
      promotion_tiers: [
        tier('a', off(1), { metadata: { season: 'spring', rank: 3 } }),
        tier('b', off(2), { hierarchy: 2, metadata: { season: 'autumn' } }),
        tier('c', off(3), { campaign_id: 'camp_2', metadata: { season: 'spring' } }),
      ],
    });
    expect((await ask('')).ids).toHaveLength(3);
    const spring = 'filters[metadata.season][conditions][$is][0]=spring';
    expect((await ask(spring)).ids.toSorted()).toEqual(['promo_a', 'promo_c']);
    expect((await ask(`${spring}&filters[campaign_id][conditions][$is]=camp_1`)).ids).toEqual(['promo_a']);
    expect((await ask('filters[name][conditions][$in][0]=b&filters[name][conditions][$in][1]=c')).ids).toHaveLength(2);
    expect((await ask('filters[metadata.season][conditions][$is]=winter')).body).toMatchObject({
      valid: false,
      promotions: [],
    });
    expect((await ask('filters[colour][conditions][$is]=red')).body).toMatchObject({
      code: 400,
      key: 'invalid_query_params',
      details: expect.stringContaining('colour is not a field to filter by'),
    });
  });

  test('until 150 available ones are found: disabled and expired ones hide none', async () => {
    const over = Array.from({ length: 160 }, (_, index) =>
      tier(`over_${index}`, off(1), {
        hierarchy: index + 2,
        created_at: day(20),
        ...(index % 2 ? { active: false } : { expiration_date: '2020-01-01T00:00:00Z' }),
      }),
    );
    const open = Array.from({ length: 151 }, (_, index) =>
      tier(`open_${index}`, off(1), { hierarchy: index + 200, created_at: day(index === 0 ? 1 : 10) }),
    );
    const ask = await shop({ promotion_tiers: [...over, ...open] });
    const { ids } = await ask('');
    expect(ids).toHaveLength(150);
    expect(ids).not.toContain('promo_open_0');
    expect((await ask('filters[id][conditions][$is]=promo_open_0')).ids).toEqual(['promo_open_0']);
  });
});

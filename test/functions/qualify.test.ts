import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/qualifications/qualify.ts';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

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

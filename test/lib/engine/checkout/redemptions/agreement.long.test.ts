import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ShownOrder } from '#engine/checkout/engine/checkout.ts';
import { handler as redeemHandler } from '../../../../../functions/redemptions/redeem-redeemables.ts';
import { handler as validateHandler } from '../../../../../functions/validations/validate-redeemables.ts';
import {
  benefit,
  categoryIds,
  collectionIds,
  optional,
  ruleOfScope,
  rules,
  sentOrder,
} from '../../../../support/arbitrary-carts.ts';
import { caller, type Reply } from '../../../../support/call.ts';
import { catalogueLists } from '../../../../support/checkout.ts';
import { programme } from '../../../../support/loyalty.ts';
import { expectFigures, sum } from '../../../../support/order-figures.ts';
import { loadProject } from '../../../../support/project.ts';
import { isLong } from '../../../../support/sampled.ts';

/** A redemption of a cart has the result that its validation announced. */

const options = { numRuns: isLong ? 200 : 20, seed: 20_261_122, endOnFailure: true };

const described = fc.record({
  benefit,
  scope: optional(ruleOfScope),
  category: optional(fc.constantFrom(...categoryIds)),
  /** A promotion tier, if the benefit is a discount. */
  isTier: fc.boolean(),
});
type Described = typeof described extends fc.Arbitrary<infer D> ? D : never;

const checkouts = fc.record({ order: sentOrder, all: fc.array(described, { minLength: 1, maxLength: 5 }), rules });

const holder = 'cust_ada';

/** The resource in a project file, and the redeemable of a request. */
function filed({ benefit: one, category, isTier, scope }: Described, index: number) {
  const code = `CODE-${index}`;
  const more = { code, active: true, ...(category ? { category_id: category } : {}) };
  const related = { related_object_type: 'voucher', related_object_id: code };
  const voucher = { object: 'voucher', id: code };
  const ruleFor = (assigned: object) =>
    scope
      ? {
          validation_rules: [{ id: `val_${index}`, name: `Rule ${index}`, applicable_to: scope }],
          validation_rules_assignments: [{ id: `asgm_${index}`, rule_id: `val_${index}`, ...assigned }],
        }
      : {};
  switch (one.kind) {
    case 'discount': {
      const { discount } = one;
      if (!isTier) {
        const vouchers = [{ ...more, type: 'DISCOUNT_VOUCHER', discount, redemption: { quantity: 1 } }];
        return { asked: voucher, lists: { vouchers, ...ruleFor(related) } };
      }
      const { code: name, ...rest } = more;
      const id = `promo_${index}`;
      const promotion_tiers = [
        { id, name, ...rest, hierarchy: index + 1, campaign_id: 'camp_promo', action: { discount } },
      ];
      const ofTier = { related_object_type: 'promotion_tier', related_object_id: id };
      return { asked: { object: 'promotion_tier', id }, lists: { promotion_tiers, ...ruleFor(ofTier) } };
    }
    case 'gift': {
      const { balance, credits, effect } = one.gift;
      const vouchers = [{ ...more, type: 'GIFT_VOUCHER', gift: { amount: balance, balance, effect } }];
      return { asked: { ...voucher, gift: { credits } }, lists: { vouchers, ...ruleFor(related) } };
    }
    default: {
      const { balance } = one.kind === 'points' ? one.points : one.reward;
      const id = `rew_${index}`;
      const sold =
        one.kind === 'points'
          ? {
              type: 'COIN',
              parameters: {
                coin: { exchange_ratio: one.points.exchange_ratio || 1, points_ratio: one.points.points_ratio },
              },
            }
          : { type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } }, stock: 5 };
      const price = one.kind === 'reward' ? { parameters: { loyalty: { points: one.reward.points } } } : {};
      const to = { related_object_type: 'campaign', related_object_id: 'camp_club' };
      const lists = {
        vouchers: [
          {
            ...more,
            ...{ type: 'LOYALTY_CARD', campaign_id: 'camp_club', holder_id: holder },
            loyalty_card: { points: balance, balance },
          },
        ],
        rewards: [{ id, name: id, ...sold }],
        reward_assignments: [{ id: `rewa_${index}`, reward_id: id, ...to, ...price }],
      };
      const points = one.kind === 'points' ? one.points.points : undefined;
      return { asked: { ...voucher, reward: { id, points } }, lists };
    }
  }
}

async function open({ all, rules: stackingRules }: { all: readonly Described[]; rules: object }) {
  const found = all.map(filed);
  const ofAll = (name: string) =>
    found.flatMap(({ lists }) => new Map<string, object[]>(Object.entries(lists)).get(name) ?? []);
  const named = [
    ...['vouchers', 'promotion_tiers', 'rewards', 'reward_assignments'],
    ...['validation_rules', 'validation_rules_assignments'],
  ];
  const { credentials: headers } = await loadProject({
    ...catalogueLists,
    customers: [{ id: holder, source_id: 'ada' }],
    categories: categoryIds.map((id, index) => ({ id, name: id, hierarchy: index % 2 })),
    campaigns: [
      programme('camp_club'),
      { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'STATIC' },
    ],
    product_collections: collectionIds.map((id, index) => ({
      ...{ id, name: id, type: 'STATIC' },
      products: [{ id: index === 0 ? 'prod_tea' : 'prod_mug', object: 'product' }],
    })),
    ...Object.fromEntries(named.map((name) => [name, ofAll(name)])),
    stacking_rules: [stackingRules],
  });
  return { headers, redeemables: found.map(({ asked }) => asked) };
}

/** Returns figures and lines of an order without the ids and the shares that a stored order has. */
function figuresOf({ items, ...order }: Record<string, unknown>) {
  const figures = Object.entries(order).filter(([name]) => name.endsWith('amount'));
  const stored = ['id', 'order_discount_share', 'applied_order_discount_share'];
  const lines = (items as object[]).map((line) =>
    Object.fromEntries(Object.entries(line).filter(([name]) => !stored.includes(name))),
  );
  return { ...Object.fromEntries(figures), items: lines } as unknown as ShownOrder;
}

const reasons = (all: readonly { id: string; result: { details: { key: string } } }[] = []) =>
  all.map(({ id, result }) => [id, result.details.key]);

function expectSame(said: Reply['body'], done: Reply['body']) {
  expect(figuresOf(done.order)).toEqual(figuresOf(said.order));
  expectFigures(figuresOf(done.order));
  expect(done.redemptions).toHaveLength(said.redeemables.length);
  for (const [index, { id, order, result }] of said.redeemables.entries()) {
    const one = done.redemptions[index];
    expect(one.voucher?.code ?? one.promotion_tier.id).toBe(id);
    expect(figuresOf(one.order)).toEqual(figuresOf(order));
    expectFigures(figuresOf(order));
    expect(one.gift?.amount).toBe(result.gift?.credits);
    expect(one.loyalty_card?.points).toBe(result.loyalty_card?.points);
  }
  const parts = said.redeemables.map(({ order }: { order: ShownOrder }) => order.total_applied_discount_amount);
  const { total_applied_discount_amount: whole = 0, total_amount: left } = done.order;
  // If cheaper units leave nothing to pay, more may have been taken off before them.
  if (left === 0) expect(whole).toBeLessThanOrEqual(sum(parts));
  else expect(whole).toBe(sum(parts));
  expect(reasons(done.inapplicable_redeemables)).toEqual(reasons(said.inapplicable_redeemables));
  expect(reasons(done.skipped_redeemables)).toEqual(reasons(said.skipped_redeemables));
}

/** Returns the error of the first redeemable, unless several may be used as far as possible. */
function refusalOf({ redeemables, stacking_rules }: Reply['body'], asked: readonly object[]) {
  const isPartial = stacking_rules.redeemables_application_mode === 'PARTIAL' && asked.length > 1;
  const first = redeemables.find(({ status }: { status: string }) => status === 'INAPPLICABLE');
  return first && !isPartial ? first.result.error.key : 'no_applicable_redeemables';
}

test('a redemption equals the validation of the same cart to the unit, or is refused with the same error', async () => {
  let redeemed = 0;
  await fc.assert(
    fc.asyncProperty(checkouts, async ({ order: [lines, figures], ...definitions }) => {
      const { headers, redeemables } = await open(definitions);
      const items = lines.map(({ collections: _, ...line }) => line);
      const body = { redeemables, customer: { id: holder }, order: { items, ...figures } };
      const said = await caller(validateHandler)({ headers, body });
      const done = await caller(redeemHandler)({ headers, body });
      if (said.body.valid !== true) {
        const error = said.status === 200 ? refusalOf(said.body, redeemables) : said.body.key;
        expect([done.status === 200, done.body.key]).toEqual([false, error]);
        return;
      }
      expect([done.status, done.body.details]).toEqual([200, undefined]);
      expectSame(said.body, done.body);
      redeemed += 1;
    }),
    options,
  );
  expect(redeemed).toBeGreaterThan(options.numRuns / 4);
});

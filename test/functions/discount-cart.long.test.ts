import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler as discountCart } from '../../functions/commerce/discount-cart.ts';
import { handler as validateRedeemables } from '../../functions/validations/validate-redeemables.ts';
import { caller, type Reply } from '../support/call.ts';
import { readCommerceSchemas } from '../support/commerce-schemas.ts';
import { commerceLists, drawCart } from '../support/commerce-shop.ts';
import { loadProject } from '../support/project.ts';
import { seeded } from '../support/seeded.ts';

/** `COMMERCE_CARTS=10000` asks as many carts as a fair has in a day. */
const carts = Number(process.env.COMMERCE_CARTS ?? 60);
/** `COMMERCE_SCHEMAS` names a folder with the published schemas, which then check each reply, too. */
const folder = process.env.COMMERCE_SCHEMAS;
const publishedFaults = folder ? readCommerceSchemas(folder) : () => [];

let headers: Record<string, string>;
beforeAll(async () => {
  headers = (await loadProject(commerceLists)).credentials;
});

const ask = (body: object, protocol = 'ucp') => caller(discountCart)({ headers, query: `protocol=${protocol}`, body });
const tea = { item: { id: 'tea' }, quantity: 2 };
const cart = (codes: string[], more: object = {}) => ({ line_items: [tea], discounts: { codes }, ...more });
const sum = (all: readonly { amount: number }[]) => all.reduce((total, { amount }) => total + amount, 0);
const amountOf = (totals: readonly { type: string; amount: number }[], type: string) =>
  totals.find((total) => total.type === type)?.amount ?? 0;

const amount = v.pipe(v.number(), v.integer(), v.minValue(0));
const total = v.variant('type', [
  v.strictObject({ type: v.picklist(['subtotal', 'total']), display_text: v.string(), amount }),
  v.strictObject({
    type: v.literal('items_discount'),
    display_text: v.string(),
    amount: v.pipe(v.number(), v.integer(), v.maxValue(-1)),
  }),
]);
const applied = {
  code: v.optional(v.string()),
  amount,
  automatic: v.boolean(),
  method: v.picklist(['each', 'across']),
  priority: v.pipe(v.number(), v.integer(), v.minValue(1)),
  allocations: v.array(v.strictObject({ path: v.pipe(v.string(), v.regex(/^\$\.line_items\[\d+\]$/)), amount })),
};
const ucpShape = v.strictObject({
  currency: v.literal('EUR'),
  line_items: v.array(
    v.strictObject({
      id: v.string(),
      item: v.strictObject({ id: v.string(), title: v.pipe(v.string(), v.minLength(1)), price: amount }),
      quantity: v.pipe(v.number(), v.integer(), v.minValue(1)),
      totals: v.array(total),
    }),
  ),
  discounts: v.strictObject({
    codes: v.array(v.string()),
    applied: v.array(v.strictObject({ ...applied, title: v.pipe(v.string(), v.minLength(1)) })),
  }),
  totals: v.array(total),
  messages: v.array(
    v.strictObject({
      type: v.literal('warning'),
      code: v.pipe(
        v.string(),
        v.regex(
          /^discount_code_(expired|invalid|already_applied|combination_disallowed|user_not_logged_in|user_ineligible)$/,
        ),
      ),
      path: v.pipe(v.string(), v.regex(/^\$\.discounts\.codes\[\d+\]$/)),
      content: v.pipe(v.string(), v.minLength(1)),
    }),
  ),
});

/** Checks what must be true for each reply, whatever the cart. */
function checkSums({ line_items, discounts, totals }: v.InferOutput<typeof ucpShape>): void {
  const borne = line_items.map(() => 0);
  for (const { amount, allocations } of discounts.applied) {
    expect(sum(allocations)).toBe(amount);
    for (const { path, amount: part } of allocations) {
      const line = Number(/\d+/.exec(path)?.[0]);
      expect(line).toBeLessThan(line_items.length);
      borne[line] = (borne[line] ?? 0) + part;
    }
  }
  expect(line_items.map((line) => Math.abs(amountOf(line.totals, 'items_discount')))).toEqual(borne);
  for (const type of ['subtotal', 'items_discount', 'total']) {
    const ofLines = line_items.reduce((all, line) => all + amountOf(line.totals, type), 0);
    expect(amountOf(totals, type)).toBe(ofLines);
  }
  expect(amountOf(totals, 'subtotal') + amountOf(totals, 'items_discount')).toBe(amountOf(totals, 'total'));
  expect(discounts.applied.map(({ priority }) => priority)).toEqual(discounts.applied.map((_, index) => index + 1));
}

test(`of ${carts} random carts, allocations sum to amounts, each code is answered once, and the till takes off the same`, {
  timeout: 3_600_000,
}, async () => {
  const draw = seeded(37);
  for (let round = 0; round < carts; round++) {
    const body = drawCart(draw);
    const [ucp, acp] = await Promise.all([ask(body), ask(body, 'acp')]);
    expect([ucp.status, acp.status]).toEqual([200, 200]);
    expect([...publishedFaults('ucp', ucp.body), ...publishedFaults('acp', acp.body)]).toEqual([]);
    const shown = v.parse(ucpShape, ucp.body);
    checkSums(shown);
    const named = shown.discounts.applied.flatMap(({ code }) => code ?? []);
    expect(named.length + shown.messages.length).toBe(body.discounts.codes.length);
    expect(acp.body.discounts.rejected.map(({ code }: { code: string }) => code)).toEqual(
      shown.messages.map(({ path }) => body.discounts.codes[Number(/\d+/.exec(path)?.[0])]),
    );
    expect(acp.body.discounts.applied.map(({ amount }: { amount: number }) => amount)).toEqual(
      shown.discounts.applied.map(({ amount }) => amount),
    );
    if (acp.body.discounts.applied.length === 0) continue;
    const till = await redeemablesOf(acp, body);
    expect(till.body.valid).toBe(true);
    expect(till.body.order.total_amount).toBe(amountOf(shown.totals, 'total'));
  }
});

/** Validates at the till what the reply says is applied. */
function redeemablesOf(acp: Reply, { line_items, buyer }: ReturnType<typeof drawCart>) {
  const redeemables = acp.body.discounts.applied.map(({ id }: { id: string }) => ({
    object: id.startsWith('promo_') ? 'promotion_tier' : 'voucher',
    id,
  }));
  const items = line_items.map(({ item: { id, price }, quantity }) => ({
    product: { source_id: id },
    sku: { source_id: id },
    quantity,
    ...(price === undefined ? {} : { price }),
  }));
  const customer = buyer && { source_id: buyer.customer_id };
  return caller(validateRedeemables)({ headers, body: { redeemables, order: { items }, customer } });
}

const member = { buyer: { customer_id: 'ada' } };

describe('a refused code has the reason of its protocol', () => {
  test.each([
    ['GONE', {}, 'expired', 'expired', /expired/],
    ['NIX', {}, 'invalid', 'invalid', /not valid/],
    ['SOON', {}, 'invalid', 'invalid', /cannot be used yet/],
    ['USED', {}, 'expired', 'usage_limit_reached', /as often/],
    ['CLUB', {}, 'user_not_logged_in', 'user_not_logged_in', /signing in/],
    ['CLUB', { buyer: { customer_id: 'bob' } }, 'user_ineligible', 'user_ineligible', /not for this customer/],
    [
      'CLUB',
      { buyer: { customer_id: 'ada', authentication_status: 'requires_signin' } },
      'user_not_logged_in',
      'user_not_logged_in',
      /signing in/,
    ],
    ['MUCH', member, 'user_ineligible', 'minimum_not_met', /more products/],
  ])('%s with %j: %s, %s', async (code, more, ucp, acp, words) => {
    const [byUcp, byAcp] = [await ask(cart([code], more)), await ask(cart([code], more), 'acp')];
    expect(byUcp.body.messages).toEqual([
      {
        type: 'warning',
        code: `discount_code_${ucp}`,
        path: '$.discounts.codes[0]',
        content: expect.stringMatching(words),
      },
    ]);
    expect(byAcp.body.discounts.rejected).toEqual([
      { code, reason: `discount_code_${acp}`, message: expect.stringMatching(words) },
    ]);
    expect(byUcp.body.discounts.applied.every(({ automatic }: { automatic: boolean }) => automatic)).toBe(true);
  });

  test('a code in another case is found, and its second mention is already applied', async () => {
    const { body } = await ask(cart(['spring', 'SPRING', 'Spring']));
    expect(body.discounts.applied[0]).toMatchObject({ code: 'spring', amount: 71, method: 'across', priority: 1 });
    expect(body.messages.map(({ code, path }: { code: string; path: string }) => [code, path])).toEqual([
      ['discount_code_already_applied', '$.discounts.codes[1]'],
      ['discount_code_already_applied', '$.discounts.codes[2]'],
    ]);
  });
});

test('a code beyond the limit of the stacking rules cannot be combined', async () => {
  const { body } = await ask(cart(['FIVE', 'EACH', 'Tenth', 'SPRING', 'SHARED', 'THIRD']));
  expect(body.discounts.applied.map(({ code }: { code?: string }) => code)).toEqual([
    ...['FIVE', 'EACH', 'Tenth', 'SPRING', 'SHARED'],
  ]);
  expect(body.messages).toMatchObject([{ code: 'discount_code_combination_disallowed', path: '$.discounts.codes[5]' }]);
});

describe('an applied discount', () => {
  test('is shared over lines by their cost, and a promotion needs no code', async () => {
    const { body } = await ask({ line_items: [tea, { item: { id: 'mug' } }], discounts: { codes: ['FIVE'] } });
    expect(body.discounts.applied).toMatchObject([
      {
        code: 'FIVE',
        amount: 500,
        automatic: false,
        method: 'across',
        allocations: [
          { path: '$.line_items[0]', amount: 219 },
          { path: '$.line_items[1]', amount: 281 },
        ],
      },
      { title: 'Two percent off', automatic: true, priority: 2 },
      { title: 'Tier penny', automatic: true, priority: 3 },
    ]);
    expect(body.discounts.applied[1].code).toBeUndefined();
  });

  test('of a free product is allocated to the line that it adds', async () => {
    const { body } = await ask(cart(['FREECAKE']));
    expect(body.line_items[1]).toMatchObject({ item: { id: 'cake', title: 'Cake', price: 333 }, quantity: 1 });
    expect(body.discounts.applied[0]).toMatchObject({ allocations: [{ path: '$.line_items[1]', amount: 333 }] });
  });

  test('of free shipping is applied without an amount, because shipping has no price here', async () => {
    const { body } = await ask(cart(['SHIPFREE']));
    expect(body.discounts.applied[0]).toMatchObject({ code: 'SHIPFREE', amount: 0, allocations: [] });
  });

  test('has the terms of its coupon in ACP, which also takes the older field for codes', async () => {
    const { body } = await ask({ line_items: [{ id: 'tea' }], currency: 'EUR', coupons: ['SPRING', 'FIVE'] }, 'acp');
    expect(body.discounts.applied.slice(0, 2)).toMatchObject([
      { code: 'SPRING', coupon: { id: 'camp_spring', name: 'Spring sale', percent_off: 7 } },
      { code: 'FIVE', coupon: { name: 'FIVE', amount_off: 500, currency: 'eur' } },
    ]);
  });
});

test('a weighed line costs its price for its weight, and keeps its quantity', async () => {
  const item = { id: 'ham', price: 900, quantity_unit: { unit: 'KGM', display_text: 'kg', scale: 3 } };
  const { body } = await ask({ line_items: [{ item, quantity: 1_500 }] });
  expect(body.line_items[0]).toMatchObject({ item: { price: 900 }, quantity: 1_500 });
  expect(amountOf(body.totals, 'subtotal')).toBe(1_350);
  const { price: _, ...unpriced } = item;
  const refused = await ask({ line_items: [{ item: unpriced, quantity: 1 }] });
  expect(refused).toMatchObject({
    status: 400,
    body: { details: expect.stringContaining('line_items[0].item.price') },
  });
});

test('a cart without a price or with a wrong one is refused with its place', async () => {
  const details = async (line: object) => (await ask({ line_items: [tea, line] })).body.details;
  expect(await details({ item: { id: 'nix' } })).toMatch(/^line_items\[1\]\.item\.price must be sent/);
  expect(await details({ item: { id: 'tea', price: -1 } })).toMatch(/^line_items\[1\]\.item\.price must be 0 or more/);
  expect(await details({ item: { id: 'tea', price: Number.MAX_SAFE_INTEGER }, quantity: 2 })).toMatch(
    /^line_items\[1\]\.price times its quantity/,
  );
});

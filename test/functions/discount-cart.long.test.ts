import { describe, expect, test } from 'vitest';
import { handler as discountCart } from '../../functions/commerce/discount-cart.ts';
import { caller } from '../support/call.ts';
import { commerceLists } from '../support/commerce-shop.ts';
import { loadProject } from '../support/project.ts';

const headers = (await loadProject(commerceLists)).credentials;

const ask = (body: object, protocol = 'ucp') => caller(discountCart)({ headers, query: `protocol=${protocol}`, body });
const tea = { item: { id: 'tea' }, quantity: 2 };
const cart = (codes: string[], more: object = {}) => ({ line_items: [tea], discounts: { codes }, ...more });
const amountOf = (totals: readonly { type: string; amount: number }[], type: string) =>
  totals.find((total) => total.type === type)?.amount ?? 0;

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

test('unknown fields anywhere in a cart change nothing in the reply', async () => {
  const known = cart(['FIVE', 'NIX'], { currency: 'EUR', buyer: { customer_id: 'ada' } });
  const unknown = { trace: { deep: [1, { x: null }] }, $odd: true };
  const more = {
    ...known,
    ...unknown,
    line_items: known.line_items.map(({ item, ...line }) => ({ ...line, ...unknown, item: { ...item, ...unknown } })),
    buyer: { customer_id: 'ada', ...unknown },
    discounts: { ...known.discounts, ...unknown, applied: [{ code: 'FIVE', amount: 1 }] },
  };
  for (const protocol of ['ucp', 'acp']) {
    const [one, other] = [await ask(known, protocol), await ask(more, protocol)];
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(other.body).toEqual(one.body);
  }
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

import { describe, expect, test } from 'vitest';
import type { Benefit } from '#engine/rules/benefit.ts';
import { checkedOut, entry, everything, included, orderOf } from '../../../../support/checkout.ts';

const cart = orderOf([
  { product_id: 'tea', quantity: 2 },
  { product_id: 'mug', quantity: 2 },
]);

function outcomeOf(benefit: Benefit, order = cart, scope = everything) {
  const [{ outcome } = {}] = checkedOut(order, [{ benefit, scope }]).considered;
  return outcome;
}

function used(benefit: Benefit, order = cart, scope = everything) {
  const outcome = outcomeOf(benefit, order, scope);
  if (outcome?.status !== 'APPLICABLE') return undefined;
  return { result: outcome.result, off: outcome.order.total_applied_discount_amount, rest: outcome.order.total_amount };
}

describe('a gift card', () => {
  const gift = (balance: number, credits?: number): Benefit => ({ kind: 'gift', gift: { balance, credits } });

  test.each([
    ['pays with the credits that are sent', gift(1000, 400), 400, 3000],
    ['pays with all that it has', gift(1000), 1000, 2400],
    ['pays no more than the order', gift(9000), 3400, 0],
    ['is not charged for what is sent beyond the order', gift(9000, 5000), 3400, 0],
    ['may be empty where 0 credits are sent', gift(0, 0), 0, 3400],
  ])('%s', (_, benefit, credits, rest) => {
    const { balance } = benefit.kind === 'gift' ? benefit.gift : { balance: 0 };
    expect(used(benefit)).toEqual({ result: { gift: { balance, credits } }, off: credits, rest });
  });

  test('may be empty where nothing is left to pay', () => {
    const free = orderOf([{ product_id: 'tea', quantity: 1, price: 0 }]);
    expect(used(gift(0), free)).toMatchObject({ result: { gift: { balance: 0, credits: 0 } }, rest: 0 });
  });

  test('may pay for some lines, shared by their amounts', () => {
    const benefit: Benefit = { kind: 'gift', gift: { balance: 1000, effect: 'APPLY_TO_ITEMS' } };
    expect(outcomeOf(benefit)).toMatchObject({
      result: { gift: { credits: 1000 } },
      order: { items: [{ applied_discount_amount: 294 }, { applied_discount_amount: 706 }] },
    });
    expect(
      used({ kind: 'gift', gift: { balance: 5000, effect: 'APPLY_TO_ITEMS' } }, cart, included(entry('prod_tea'))),
    ).toMatchObject({
      result: { gift: { credits: 1000 } },
      rest: 2400,
    });
  });

  test('pays for lines and gives the odd unit to the earlier line, for any order of entries', () => {
    const order = orderOf([{ product_id: 'tea' }, { product_id: 'mug', price: 500 }]);
    const benefit: Benefit = { kind: 'gift', gift: { balance: 101, effect: 'APPLY_TO_ITEMS' } };
    expect(outcomeOf(benefit, order, included(entry('prod_mug'), entry('prod_tea')))).toMatchObject({
      order: { items: [{ applied_discount_amount: 51 }, { applied_discount_amount: 50 }] },
    });
  });

  test.each([
    ['more credits than it has', gift(100, 101), cart, 'gift_amount_exceeded'],
    ['a balance of 0', gift(0), cart, 'gift_amount_exceeded'],
    [
      'a balance of 0 for items',
      { kind: 'gift', gift: { balance: 0, effect: 'APPLY_TO_ITEMS' } } as Benefit,
      cart,
      'gift_amount_exceeded',
    ],
    ['an order without money', gift(100), orderOf([{ product_id: 'post' }]), 'missing_amount'],
    [
      'items without money',
      { kind: 'gift', gift: { balance: 1, effect: 'APPLY_TO_ITEMS' } } as Benefit,
      orderOf([{ product_id: 'post' }], { amount: 5 }),
      'missing_order_items_amount',
    ],
  ])('cannot pay with %s', (_, benefit, order, key) => {
    expect(outcomeOf(benefit, order)).toMatchObject({ status: 'INAPPLICABLE', refusal: { key } });
  });

  test.each([
    ['no order', undefined, 'missing_order'],
    ['an order without lines', orderOf([], { amount: 5 }), 'missing_order_items'],
    ['an order without lines or amount', orderOf([]), 'missing_order_items'],
    ['lines without money', orderOf([{ product_id: 'post' }]), 'missing_order_items_amount'],
  ])('for items cannot pay with %s', (_, order, key) => {
    const benefit: Benefit = { kind: 'gift', gift: { balance: 1, effect: 'APPLY_TO_ITEMS' } };
    const [{ outcome } = {}] = checkedOut(order, [{ benefit, scope: everything }]).considered;
    expect(outcome).toEqual({ status: 'INAPPLICABLE', refusal: { key } });
  });
});

describe('points', () => {
  const points = (balance: number, sent?: number, points_ratio = 10, exchange_ratio = 1): Benefit => ({
    kind: 'points',
    points: { balance, points: sent, points_ratio, exchange_ratio },
  });

  test.each([
    ['are worth what the ratios say', points(1000, 100), 100, 1000],
    ['are worth whole units, of which a half counts up', points(1000, 1, 200), 1, 1],
    ['are worth whole units, of which less than a half counts for nothing', points(1000, 1, 201), 1, 0],
    ['are worth whole units of the total', points(1000, 5, 200), 5, 3],
    ['are worth no more than is left, rounded up or not', points(1000, undefined, 3, 0.105), 972, 3400],
    ['may be worth less than one major unit', points(1000, 100, 1, 0.05), 100, 500],
    ['are charged only as far as the order needs them, though more are sent', points(1000, 500), 340, 3400],
    ['are charged as sent, though they are not whole blocks', points(1000, 339), 339, 3390],
    ['are not charged if they are worth nothing', points(1000, 500, 1, 0), 0, 0],
    ['are as many whole blocks as the order needs', points(1000), 340, 3400],
    ['are rounded up to a whole block', points(1000, undefined, 10, 3), 120, 3400],
    ['are as many whole blocks as the card has', points(47), 40, 400],
    ['are none if they are worth nothing', points(9, undefined, 1, 0), 0, 0],
    ['are none if the caller sends 0', points(9, 0), 0, 0],
  ])('%s', (_, benefit, charged, off) => {
    expect(used(benefit)).toMatchObject({ result: { loyalty_card: { points: charged } }, off });
  });

  test.each([
    ['more than the card has', points(100, 101), cart, 'loyalty_card_points_exceeded'],
    ['an order without money', points(100), orderOf([]), 'missing_amount'],
  ])('cannot pay: %s', (_, benefit, order, key) => {
    expect(outcomeOf(benefit, order)).toMatchObject({ status: 'INAPPLICABLE', refusal: { key } });
  });

  test.each([
    ['an empty card', points(0), '0 points are left, and an order is paid by at least 10'],
    ['fewer points than a block', points(9), '9 points are left, and an order is paid by at least 10'],
    ['an empty card, when the caller sends 0', points(0, 0), '0 points are left, and an order is paid by at least 1'],
  ])('cannot pay without a block of points: %s', (_, benefit, details) => {
    const refusal = { key: 'loyalty_card_points_exceeded', details };
    expect(outcomeOf(benefit)).toEqual({ status: 'INAPPLICABLE', refusal });
  });

  test('may be missing if nothing is left to pay', () => {
    const free = orderOf([{ product_id: 'tea' }], { discount_amount: 500 });
    expect(used(points(0), free)).toMatchObject({ result: { loyalty_card: { points: 0 } }, rest: 0 });
    const gift: Benefit = { kind: 'gift', gift: { balance: 9_000 } };
    const both = [gift, points(0)].map((benefit) => ({ benefit, scope: everything }));
    expect(checkedOut(cart, both)).toMatchObject({ isValid: true, order: { total_amount: 0 } });
  });

  test('may be the price of a reward, which takes nothing off', () => {
    expect(used({ kind: 'reward', reward: { balance: 50, points: 50 } })).toEqual({
      result: { loyalty_card: { points: 50 } },
      off: undefined,
      rest: 3400,
    });
    expect(outcomeOf({ kind: 'reward', reward: { balance: 49, points: 50 } })).toMatchObject({
      refusal: { key: 'loyalty_card_points_exceeded' },
    });
  });
});

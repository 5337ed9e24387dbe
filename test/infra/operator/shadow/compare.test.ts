import { describe, expect, test } from 'vitest';
import { compareAnswers } from '../../../../infra/operator/shadow/compare.ts';

const answer = (body: unknown, status = 200) => ({ status, body });
const redeemable = (id: string, more: object) => ({ object: 'voucher', id, status: 'APPLICABLE', ...more });
const refused = (key: string, details: string) => ({ status: 'INAPPLICABLE', result: { error: { key, details } } });

function causesOf(one: unknown, other: unknown): string[] {
  return [...new Set(compareAnswers(answer(one), answer(other)).map(({ cause }) => cause))];
}

describe('two answers', () => {
  test('are equal whatever each service makes for itself', () => {
    const one = {
      id: 'valid_1',
      tracking_id: 'a',
      order: { id: 'ord_1', amount: 5 },
      redeemables: [redeemable('A', {})],
    };
    const other = {
      id: 'valid_2',
      order: { amount: 5, metadata: {} },
      redeemables: [redeemable('A', { result: null })],
    };
    expect(compareAnswers(answer(one), answer(other))).toEqual([]);
  });

  test('are equal if lists have the same elements in another order', () => {
    const [a, b] = [redeemable('A', {}), redeemable('B', {})];
    expect(causesOf({ redeemables: [a, b] }, { redeemables: [b, a] })).toEqual([]);
  });

  test('differ by the rule that decides, and the order follows from it', () => {
    const one = { valid: true, redeemables: [redeemable('A', {})], order: { total_amount: 90 } };
    const two = redeemable('A', refused('order_rules_violated', 'take two bags'));
    const other = { valid: false, redeemables: [two], inapplicable_redeemables: [two], order: { total_amount: 100 } };
    expect(causesOf(one, other)).toEqual(['voucher A: applies → order_rules_violated: take two bags']);
    expect(compareAnswers(answer(one), answer(other)).map(({ field }) => field)).toContain('order.total_amount');
  });

  test('differ by the figure of a redeemable', () => {
    const of = (percent_off: number) => ({ redeemables: [redeemable('A', { result: { discount: { percent_off } } })] });
    expect(causesOf(of(5), of(6))).toEqual(['voucher A: result.discount.percent_off 5 → 6']);
  });

  test('differ by what one service alone offers', () => {
    const of = (...ids: string[]) => ({ redeemables: { data: ids.map((id) => redeemable(id, {})) } });
    expect(causesOf(of('A'), of('A', 'B'))).toEqual(['voucher B: is offered besides']);
    expect(causesOf(of('A', 'B'), of('A'))).toEqual(['voucher B: is not offered']);
  });

  test('differ by the order itself if no redeemable does', () => {
    expect(causesOf({ order: { amount: 1 } }, { order: { amount: 2 } })).toEqual(['order.amount 1 → 2']);
  });

  test('differ by their status, with what the services say', () => {
    const found = compareAnswers(answer({}), answer({ key: 'not_found', details: 'no voucher' }, 404));
    expect(found.map(({ cause }) => cause)).toEqual(['status 200 → 404: no error → not_found: no voucher']);
  });
});

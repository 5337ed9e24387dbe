import { describe, expect, test } from 'vitest';
import { code, openReturns } from '../support/returning.ts';

describe('kept lines that are priced again', () => {
  const three = { type: 'PERCENT', percent_off: 100, effect: 'APPLY_TO_ITEMS' };
  const lists = {
    products: [10, 20].map((price) => ({
      id: `prod_${price}`,
      source_id: `at-${price}`,
      name: 'Cup',
      price: price * 100,
    })),
    skus: [],
    validation_rules: [
      {
        id: 'val_bulk',
        name: 'From 300',
        rules: { '1': { name: 'order.amount', conditions: { $more_than_or_equal: [30_000] } } },
      },
      {
        id: 'val_three',
        name: 'Three for two',
        rules: {},
        applicable_to: {
          included: [
            {
              ...{ object: 'products_collection', id: 'pc_a11pr0dUc75', effect: 'APPLY_FROM_MOST_EXPENSIVE' },
              ...{ skip_initially: 2, repeat: 3, target: 'UNIT' },
            },
          ],
          excluded: [],
          included_all: false,
        },
      },
    ],
    vouchers: [{ code: 'THREE', type: 'DISCOUNT_VOUCHER', discount: three }],
    validation_rules_assignments: [
      { rule_id: 'val_bulk', related_object_type: 'voucher', related_object_id: 'BULK' },
      { rule_id: 'val_three', related_object_type: 'voucher', related_object_id: 'THREE' },
    ],
  };

  test('lose a discount that they no longer earn, and cost their price later', async () => {
    const store = await openReturns([], lists);
    const items = [{ source_id: 'six', quantity: 6, price: 6_000 }];
    const { order } = await store.redeem({ items }, [code('BULK')]);
    const ask5 = { items: [{ source_id: 'six', quantity: 5 }], dry_run: true };
    expect((await store.giveBack(order.id, ask5)).refund).toMatchObject({ total: 27_000, money: 27_000 });
    const back = await store.giveBack(order.id, {
      ...{ items: ask5.items, source_id: 'five' },
      options: { kept_lines: 'REPRICE' },
    });
    expect(back).toMatchObject({ refund: { total: 26_400, money: 26_400 }, reclaimed: 600, items: [{ net: 27_000 }] });
    const last = await store.giveBack(order.id, { items: [{ source_id: 'six', quantity: 1 }] });
    expect(last).toMatchObject({ refund: { money: 6_000 }, items: [{ amount: 6_000, order_discount_share: 0 }] });
    expect(last.rolled_back).toHaveLength(1);
  });

  test('keep the free unit of three for two, or pay for it', async () => {
    const store = await openReturns([], lists);
    const items = [{ source_id: 'at-10' }, { source_id: 'at-10' }, { source_id: 'at-20' }];
    const { order } = await store.redeem({ items }, [code('THREE')]);
    expect(order).toMatchObject({ amount: 4_000, items_discount_amount: 1_000, total_amount: 3_000 });
    const body = (kept_lines: string) => ({
      items: [{ source_id: 'at-20', quantity: 1 }],
      options: { kept_lines },
      dry_run: true,
    });
    expect((await store.giveBack(order.id, body('KEEP'))).refund.total).toBe(2_000);
    expect(await store.giveBack(order.id, body('REPRICE'))).toMatchObject({
      refund: { total: 1_000 },
      reclaimed: 1_000,
    });
  });
});

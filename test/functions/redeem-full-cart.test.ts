import { expect, test } from 'vitest';
import { unpackLines } from '#engine/checkout/orders/resource.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { Update } from '#kernel/table/update.ts';
import { handler as getRedemption } from '../../functions/redemptions/get-redemption.ts';
import { handler as rollBackAll } from '../../functions/redemptions/rollback-redemptions.ts';
import { caller } from '../support/call.ts';
import { tableOfFile } from '../support/listed.ts';
import { itemsOf } from '../support/outbox.ts';
import { coupon, shop, vouchers } from '../support/redeeming.ts';

const codes = ['A', 'B', 'C', 'D', 'E'];
const lines = Array.from({ length: 30 }, (_, index) => ({
  ...{ source_id: `line-${index}`, quantity: 1 + (index % 3), price: 500 + index },
  ...(index === 7 ? { metadata: { gift_for: 'Bob' } } : {}),
}));

async function fiveOnThirty() {
  const opened = await shop({
    vouchers: codes.map((code, index) =>
      coupon(code, {
        discount: { type: 'PERCENT', percent_off: 3, effect: index % 2 ? 'APPLY_TO_ITEMS' : 'APPLY_TO_ORDER' },
      }),
    ),
  });
  const { status, body } = await opened.redeem({
    redeemables: vouchers(...codes),
    customer: { source_id: 'ada' },
    order: { items: lines },
  });
  expect(status).toBe(200);
  const shown = async (redemptionId: string) =>
    (await caller(getRedemption)({ headers: opened.headers, params: { redemptionId } })).body;
  const records = (await itemsOf(opened.id, '')).filter(({ kind }) => kind === 'REDEMPTION');
  return { ...opened, body, shown, records };
}

/** If lines were lists, the six records would have 52 KB. */
const mostBytes = 28_000;

test('five codes on thirty lines need half the size of their lines, and each is read exactly like its reply', async () => {
  const { body, shown, records } = await fiveOnThirty();
  expect(records).toHaveLength(6);
  expect(JSON.stringify(records).length).toBeLessThan(mostBytes);
  for (const one of [...body.redemptions, body.parent_redemption]) {
    const { order } = await shown(one.id);
    expect(order).toEqual(one.order);
    expect(order.items).toHaveLength(30);
    expect(order.items[7].metadata).toEqual({ gift_for: 'Bob' });
  }
});

test('records whose lines are a list are read and rolled back as before', async () => {
  const { body, shown, records, headers, read } = await fiveOnThirty();
  for (const record of records) {
    const update = new Update().whenThere().set(['order'], unpackLines(record.order));
    expect((await tableOfFile().change(keyOf(record), update.build())).done).toBe(true);
  }
  const [first] = body.redemptions;
  expect((await shown(first.id)).order).toEqual(first.order);
  const params = { redemptionId: body.parent_redemption.id };
  const { status, body: back } = await caller(rollBackAll)({ headers, params });
  expect([status, back.rollbacks?.length]).toEqual([200, 5]);
  expect((await read('A')).redemption.redeemed_quantity).toBe(0);
});

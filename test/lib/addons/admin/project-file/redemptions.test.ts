import { expect, test } from 'vitest';
import { loadProjectFile } from '#addons/admin/project-file/load.ts';
import { handler as orderHandler } from '../../../../../functions/orders/get-order.ts';
import { handler as getHandler } from '../../../../../functions/redemptions/get-redemption.ts';
import { handler as rollbackHandler } from '../../../../../functions/redemptions/rollback-redemption.ts';
import { handler as voucherHandler } from '../../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../../support/call.ts';
import { testDependencies, testTime } from '../../../../support/dependencies.ts';
import { giftVoucher } from '../../../../support/lists.ts';
import { itemsOf } from '../../../../support/outbox.ts';
import { credentialsOf, loadProject, projectFile, withFile } from '../../../../support/project.ts';

const lines = [{ object: 'order_item', product_id: 'prod_tea', quantity: 2, price: 500, amount: 1_000 }];

const lists = {
  vouchers: [
    giftVoucher('GIFT', { amount: 900, balance: 600 }, { redemption: { redeemed_quantity: 3, redeemed_amount: 300 } }),
  ],
  orders: [
    { id: 'ord_same', status: 'PAID', amount: 1_000, total_amount: 900, items: lines },
    { id: 'ord_changed', status: 'PAID', amount: 1_500, total_amount: 1_500, items: [{ quantity: 3, amount: 1_500 }] },
  ],
  redemptions: ['ord_same', 'ord_changed', 'ord_deleted'].map((id) => ({
    id: `r_${id}`,
    date: '2026-06-05T00:00:00.000Z',
    result: 'SUCCESS',
    voucher_code: 'GIFT',
    gift_credits: 100,
    order: { id, amount: 1_000 },
  })),
};

test('a record has the lines of its order while the amounts agree, else the id and amount alone', async () => {
  const { credentials: headers } = await loadProject(lists);
  const orderOf = async (id: string) => {
    const { status, body } = await caller(getHandler)({ headers, params: { redemptionId: `r_${id}` } });
    expect(status).toBe(200);
    return body.order;
  };
  expect(await orderOf('ord_same')).toMatchObject({ id: 'ord_same', amount: 1_000, total_amount: 900, items: lines });
  for (const id of ['ord_changed', 'ord_deleted']) {
    expect(await orderOf(id)).toMatchObject({ id, amount: 1_000, items: [] });
  }
});

test('a record with the lines of its order is rolled back, and the order keeps its lines', async () => {
  const { credentials: headers } = await loadProject(lists);
  const rolledBack = await caller(rollbackHandler)({ headers, params: { redemptionId: 'r_ord_same' }, body: {} });
  expect(rolledBack).toMatchObject({ status: 200, body: { result: 'SUCCESS' } });
  const voucher = await caller(voucherHandler)({ headers, params: { code: 'GIFT' } });
  expect(voucher.body).toMatchObject({ gift: { balance: 700 }, redemption: { redeemed_quantity: 2 } });
  const order = await caller(orderHandler)({ headers, params: { orderId: 'ord_same' } });
  expect(order.body.items).toMatchObject([{ product_id: 'prod_tea', quantity: 2, amount: 1_000 }]);
});

test('redemptions without an amount took all that is no longer left, so their rollback leaves no figure below 0', async () => {
  const vouchers = lists.vouchers.map((one) => ({ ...one, redemption: { redeemed_quantity: 3 } }));
  const { credentials: headers } = await loadProject({ ...lists, vouchers });
  const show = () => caller(voucherHandler)({ headers, params: { code: 'GIFT' } });
  expect((await show()).body).toMatchObject({ gift: { balance: 600 }, redemption: { redeemed_amount: 300 } });
  for (const id of ['ord_same', 'ord_changed', 'ord_deleted']) {
    const params = { redemptionId: `r_${id}` };
    expect(await caller(rollbackHandler)({ headers, params, body: {} })).toMatchObject({ status: 200 });
  }
  const { status, body } = await show();
  expect(status).toBe(200);
  expect(body).toMatchObject({ gift: { balance: 900 }, redemption: { redeemed_quantity: 0, redeemed_amount: 0 } });
});

test('redemptions of a card without points spent all that is no longer left', async () => {
  const loyalty_card = { points: 900, balance: 500, expired_points: 100 };
  const card = { code: 'CARD', type: 'LOYALTY_CARD', loyalty_card, redemption: { redeemed_quantity: 1 } };
  const { credentials: headers } = await loadProject({ vouchers: [card] });
  const { body } = await caller(voucherHandler)({ headers, params: { code: 'CARD' } });
  expect(body).toMatchObject({
    loyalty_card: { balance: 500, expired_points: 100 },
    redemption: { redeemed_points: 300 },
  });
});

test('a load that follows another service leaves the lines of a record, and takes lines that a record lacks', async () => {
  const file = projectFile(lists);
  const { dynamodb, tableName } = testDependencies();
  const follow = (changed: object) =>
    withFile({ ...file, ...changed }, (path) =>
      loadProjectFile(path, { dynamodb, tableName, now: testTime, follows: true, unlessLoaded: true }),
    );
  const orderOf = async (id: string) => {
    const headers = credentialsOf(file);
    return (await caller(getHandler)({ headers, params: { redemptionId: `r_${id}` } })).body.order;
  };
  await follow({});
  const before = await orderOf('ord_same');
  const others = [{ quantity: 1, amount: 700 }];
  const orders = [
    { id: 'ord_same', status: 'PAID', amount: 700, total_amount: 700, items: others },
    { id: 'ord_deleted', status: 'PAID', amount: 1_000, total_amount: 1_000, items: lines },
  ];
  await follow({ orders });
  expect(await orderOf('ord_same')).toEqual(before);
  expect(await orderOf('ord_deleted')).toMatchObject({ amount: 1_000, items: lines });
  const records = await itemsOf(file.project.id, 'REDEMPTION');
  await follow({ orders: orders.toReversed() });
  expect(await itemsOf(file.project.id, 'REDEMPTION')).toEqual(records);
  const [first, ...rest] = lists.redemptions;
  await follow({ orders, redemptions: [{ ...first, order: { id: 'ord_same', amount: 1_200 } }, ...rest] });
  expect(await orderOf('ord_same')).toMatchObject({ amount: 1_200, items: [] });
});

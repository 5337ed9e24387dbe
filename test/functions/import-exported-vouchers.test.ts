import { expect, test } from 'vitest';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as importIntoCampaign } from '../../functions/campaigns/import-campaign-vouchers-csv.ts';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers-csv.ts';
import { caller } from '../support/call.ts';
import { terms } from '../support/every-kind.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const project = await loadProject({ ...terms, customers: [{ id: 'cust_1', source_id: 'ana' }] });

async function imported(lines: readonly string[], campaignId?: string) {
  const { credentials: headers } = project;
  const body = { file: lines.join('\n') };
  const reply = await (campaignId === undefined
    ? caller(importVouchers)({ headers, body })
    : caller(importIntoCampaign)({ headers, body, params: { campaignId } }));
  await runOutbox(project.id);
  const { result } = (await caller(getAction)({ headers, params: { asyncActionId: reply.body.async_action_id } })).body;
  return result;
}

const shown = async (code: string) =>
  (await caller(getVoucher)({ headers: project.credentials, params: { code } })).body;

test('figures that contradict each other fail their rows, each with its own words', async () => {
  const header =
    'Code,Voucher Type,Value,Discount Type,Gift Balance,Redeemed Amount,Loyalty Balance,Loyalty Lots,Redeemed Points,Redemption Quantity,Redemption Count,Campaign,Customer ID,Customer Source ID,Created At';
  const lot = '"[{""points"":1,""expires"":null}]"';
  const rows = [
    ['A,GIFT_VOUCHER,5,,5.01,,,,,,,,,,', 'gift_balance must not be above the amount of the gift'],
    ['B,GIFT_VOUCHER,5,,4,1.01,,,,,,,,,', 'gift_balance and redeemed_amount must not be above the amount together'],
    ['C,LOYALTY_CARD,5,,,,6,,,,,camp_club,,,', 'loyalty_balance must not be above the points of the card'],
    [`D,LOYALTY_CARD,5,,,,2,${lot},,,,camp_club,,,`, 'loyalty_lots must add up to the balance of the card'],
    ['E,LOYALTY_CARD,5,,,,4,,2,,,camp_club,,,', 'loyalty_balance, expired_points and redeemed_points must not be'],
    ['F,LOYALTY_CARD,5.5,,,,,,,,,camp_club,,,', 'value must be a whole number of points'],
    ['G,DISCOUNT_VOUCHER,5,AMOUNT,,,,,,1,2,,,,', 'redeemed_quantity must not be above the limit of 1'],
    ['H,DISCOUNT_VOUCHER,5,AMOUNT,,,,,,,,camp_none,,,', 'no campaign has this id'],
    ['I,DISCOUNT_VOUCHER,5,AMOUNT,,,,,,,,camp_gift,,,', 'type must be GIFT_VOUCHER'],
    ['J,GIFT_VOUCHER,5,,,,,,,,,,cust_none,,', 'no customer has this id'],
    ['K,GIFT_VOUCHER,5,,,,,,,,,,,,2999-01-01', 'created_at must not be in the future'],
  ] as const;
  const { failed, done_count } = await imported([header, ...rows.map(([row]) => row)]);
  expect(done_count).toBe(0);
  expect(failed.map(({ reason }: { reason: string }) => reason)).toEqual(
    rows.map(([, reason]) => expect.stringContaining(reason)),
  );
});

test('what a balance lacks counts as redeemed, unless the row says that nothing was redeemed', async () => {
  const { failed } = await imported([
    'Code,Voucher Type,Value,Gift Balance,Redemption Count,Customer ID,Customer Source ID',
    'LEFT,GIFT_VOUCHER,25,5,,cust_unknown,ana',
    'NEVER,GIFT_VOUCHER,25,5,0,,',
  ]);
  expect(failed).toEqual([]);
  expect(await shown('LEFT')).toMatchObject({
    gift: { balance: 500 },
    redemption: { redeemed_amount: 2_000 },
    holder_id: 'cust_1',
  });
  expect(await shown('NEVER')).toMatchObject({
    gift: { balance: 500, subtracted_amount: 2_000 },
    redemption: { redeemed_amount: 0 },
  });
  const { body } = await caller(getCustomer)({ headers: project.credentials, params: { customerId: 'ana' } });
  expect(body.summary.redemptions.gift).toMatchObject({ amount_to_go: 500, redeemed_amount: 2_000 });
});

test('a row of units names their product, and semicolons may separate cells', async () => {
  const { failed, metadata_columns } = await imported([
    'Code;Voucher Type;Value;Discount Type;Discount Unit Type;Discount Effect;shelf',
    'THREE;DISCOUNT_VOUCHER;3;UNIT;prod_free;ADD_NEW_ITEMS;left',
  ]);
  expect([failed, metadata_columns]).toEqual([[], ['shelf']]);
  const { discount, metadata } = await shown('THREE');
  expect(discount).toEqual({ type: 'UNIT', unit_off: 3, unit_type: 'prod_free', effect: 'ADD_NEW_ITEMS' });
  expect(metadata).toEqual({ shelf: 'left' });
});

test("a campaign's path imports rows of another campaign as its own, and they inherit from it", async () => {
  const { failed } = await imported(
    [
      'Code,Voucher Type,Value,Discount Type,Campaign,Campaign ID,Start Date,Redemption Quantity,Redemption Count',
      'MOVED,DISCOUNT_VOUCHER,10,PERCENT,Elsewhere,camp_elsewhere,2026-01-01T00:00:00.000Z,1,1',
    ],
    'camp_sale',
  );
  expect(failed).toEqual([]);
  expect(await shown('MOVED')).toMatchObject({
    campaign: 'Sale',
    discount: { percent_off: 10 },
    redemption: { quantity: 1, redeemed_quantity: 1 },
  });
});

test('one file has rows of one campaign and of none, and the same file twice changes nothing', async () => {
  const codes = Array.from({ length: 200 }, (_, index) => `MANY-${index}`);
  const lines = [
    'Code,Voucher Type,Value,Discount Type,Campaign',
    ...codes.map((code, index) => `${code},DISCOUNT_VOUCHER,10,PERCENT,${index % 2 ? 'Sale' : ''}`),
  ];
  expect(await imported(lines)).toMatchObject({ done_count: 200, failed_count: 0 });
  expect(await shown('MANY-0')).toMatchObject({ campaign: null });
  const before = await shown('MANY-1');
  expect(before).toMatchObject({ campaign: 'Sale' });
  expect(await imported(lines)).toMatchObject({ done_count: 200, failed_count: 0 });
  expect(await shown('MANY-1')).toEqual(before);
});

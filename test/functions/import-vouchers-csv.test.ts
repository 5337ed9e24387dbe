import { expect, test } from 'vitest';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as getCampaign } from '../../functions/campaigns/get-campaign.ts';
import { handler as importIntoCampaign } from '../../functions/campaigns/import-campaign-vouchers-csv.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers-csv.ts';
import { caller } from '../support/call.ts';
import { exportedLines } from '../support/exports.ts';
import { giftCampaign } from '../support/lists.ts';
import { programme } from '../support/loyalty.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';

const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } };

const project = await loadProject({
  categories: [{ id: 'cat_1', name: 'Paper', hierarchy: 1 }],
  validation_rules: [{ id: 'val_1', name: 'Any' }],
  campaigns: [
    { id: 'camp_open', name: 'Open', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', voucher: coupon },
    giftCampaign('camp_over', 'Over', { amount: 700 }, { expiration_date: '2020-01-01T00:00:00Z' }),
    programme('camp_club', { voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 10 } } }),
  ],
  vouchers: [
    { ...coupon, code: 'KNOWN', active: true, metadata: { old: 1 } },
    { ...coupon, code: 'OPEN-1', campaign_id: 'camp_open' },
  ],
});

async function imported(file: string, campaignId?: string) {
  const { credentials: headers } = project;
  const { status, body } = await (campaignId === undefined
    ? caller(importVouchers)({ headers, body: { file } })
    : caller(importIntoCampaign)({ headers, body: { file }, params: { campaignId } }));
  await runOutbox(project.id);
  const params = { asyncActionId: body.async_action_id };
  return { status, action: (await caller(getAction)({ headers, params })).body };
}

const shown = async (code: string) =>
  (await caller(getVoucher)({ headers: project.credentials, params: { code } })).body;
const countOf = async (campaignId: string) =>
  (await caller(getCampaign)({ headers: project.credentials, params: { campaignId } })).body.vouchers_count;

test('vouchers without a campaign equal their rows; known ones change only the switch and the category', async () => {
  const file = [
    'Code,Voucher Type,Value,Discount Type,Discount Effect,Validation Rule ID,Category,Start Date,Expiration Date,Redemption Limit,Redeemed Quantity,Redeemed Amount,Active,Additional Info,Formula,shelf',
    'AMOUNT,DISCOUNT_VOUCHER,12.5,AMOUNT,APPLY_TO_ITEMS,val_1,cat_1,2026-02-01,2030-01-31T10:30,3,2,,FALSE,found,,left',
    'PERCENT,DISCOUNT_VOUCHER,12.5,PERCENT,,,,,,,,,,,,',
    'FIXED,DISCOUNT_VOUCHER,9.99,FIXED,,,,,,,,,,,,',
    'UNIT,DISCOUNT_VOUCHER,2,UNIT,,,,,,,,,,,,',
    'GIFT,GIFT_VOUCHER,50,,,,,,,,1,12.34,,,,',
    'KNOWN,GIFT_VOUCHER,50,,,,Paper,,,9,,,false,other,,right',
    'AMOUNT,,,,,,,,,,,,true,,,',
    'LESS,GIFT_VOUCHER,1,,,,,,,,,1.01,,,,',
    'CARD,LOYALTY_CARD,1,,,,,,,,,,,,,',
    'NO-TYPE,,1,AMOUNT,,,,,,,,,,,,',
    'NO-VALUE,DISCOUNT_VOUCHER,,AMOUNT,,,,,,,,,,,,',
    'TOO-FINE,DISCOUNT_VOUCHER,1.001,AMOUNT,,,,,,,,,,,,',
    'TOO-MUCH,DISCOUNT_VOUCHER,101,PERCENT,,,,,,,,,,,,',
    'NO-KIND,DISCOUNT_VOUCHER,1,,,,,,,,,,,,,',
    'NO-UNITS,DISCOUNT_VOUCHER,0,UNIT,,,,,,,,,,,,',
    'OTHER-KIND,DISCOUNT_VOUCHER,1,HALF,,,,,,,,,,,,',
    'NO-RULE,DISCOUNT_VOUCHER,1,AMOUNT,,val_none,,,,,,,,,,',
    'NO-CATEGORY,DISCOUNT_VOUCHER,1,AMOUNT,,,cat_none,,,,,,,,,',
    'NO-DATE,DISCOUNT_VOUCHER,1,AMOUNT,,,,2026-02-30,,,,,,,,',
    'NO-SWITCH,DISCOUNT_VOUCHER,1,AMOUNT,,,,,,,,,maybe,,,',
    'FORMULA,GIFT_VOUCHER,1,,,,,,,,,,,,1+1,',
    ',DISCOUNT_VOUCHER,1,AMOUNT,,,,,,,,,,,,',
  ].join('\n');
  const { status, action } = await imported(file);
  expect([status, action.type, action.status]).toEqual([202, 'VOUCHERS.IMPORT_CSV', 'DONE']);
  const { done_count, failed_count, failed } = action.result;
  expect([done_count, failed_count]).toEqual([6, 16]);
  const reasons = failed.map(({ code, row, reason }: { code?: string; row: number; reason: string }) =>
    [row, code, reason].join(' '),
  );
  const wanted = [
    /^7 AMOUNT code repeats the code of row 1/,
    /^8 LESS redeemed_amount must not be above/,
    /^9 CARD campaign is required/,
    /^10 NO-TYPE voucher_type is required/,
    /^11 NO-VALUE value is required/,
    /^12 TOO-FINE value must be in major units/,
    /^13 TOO-MUCH .*percent_off must be 100 or less/,
    /^14 NO-KIND discount_type is required/,
    /^15 NO-UNITS value must be 1 or more/,
    /^16 OTHER-KIND .*type/,
    /^17 NO-RULE no validation.rule/,
    /^18 NO-CATEGORY no category/,
    /^19 NO-DATE start_date must be/,
    /^20 NO-SWITCH active must be/,
    /^21 FORMULA formula must be empty/,
    /^22 {2}code is required/,
  ];
  expect(reasons).toEqual(wanted.map((pattern) => expect.stringMatching(pattern)));
  expect(await shown('AMOUNT')).toMatchObject({
    discount: { type: 'AMOUNT', amount_off: 1250, effect: 'APPLY_TO_ITEMS' },
    category_id: 'cat_1',
    start_date: '2026-02-01T00:00:00.000Z',
    expiration_date: '2030-01-31T10:30:00.000Z',
    redemption: { quantity: 3, redeemed_quantity: 2 },
    // A later row of the same code changes nothing.
    active: false,
    additional_info: 'found',
    metadata: { shelf: 'left' },
    validation_rules_assignments: { data: [{ rule_id: 'val_1' }] },
  });
  expect(await shown('PERCENT')).toMatchObject({ discount: { percent_off: 12.5 }, redemption: { quantity: null } });
  expect((await shown('FIXED')).discount).toEqual({ type: 'FIXED', fixed_amount: 999 });
  expect((await shown('UNIT')).discount).toEqual({ type: 'UNIT', unit_off: 2 });
  expect(await shown('GIFT')).toMatchObject({
    gift: { amount: 5000, balance: 3766 },
    redemption: { redeemed_quantity: 1, redeemed_amount: 1234 },
  });
  expect(await shown('KNOWN')).toMatchObject({
    type: 'DISCOUNT_VOUCHER',
    category: 'Paper',
    active: false,
    redemption: { quantity: null },
    additional_info: null,
    metadata: { old: 1 },
  });
});

test('a discount with a formula is imported exactly like the exported one', async () => {
  const discounts = [
    { type: 'AMOUNT', amount_off: 1250, amount_off_formula: 'IF(ORDER_AMOUNT > 100; 20; 5)', effect: 'APPLY_TO_ORDER' },
    { type: 'AMOUNT', amount_off: 0, amount_off_formula: '-5 + IF(ORDER_AMOUNT > 100; 20; 5)' },
    { type: 'PERCENT', percent_off: 7.5, percent_off_formula: 'ORDER_AMOUNT / 10' },
    { type: 'FIXED', fixed_amount: 999, fixed_amount_formula: 'ORDER_AMOUNT / 2' },
    { type: 'FIXED', fixed_amount_formula: 'ORDER_AMOUNT / 3', effect: 'APPLY_TO_ITEMS' },
    { type: 'UNIT', unit_off: 2, unit_off_formula: 'ORDER_AMOUNT / 50', effect: 'ADD_SAME_ITEMS' },
    { type: 'UNIT', unit_off_formula: 'ORDER_AMOUNT / 40' },
  ];
  const vouchers = discounts.map((discount, index) => ({ type: 'DISCOUNT_VOUCHER', code: `WORTH-${index}`, discount }));
  const fields = ['code', 'voucher_type', 'value', 'discount_type', 'discount_effect', 'formula'];
  const of = { exported_object: 'voucher', parameters: { fields } };
  const lines = await exportedLines(await loadProject({ vouchers }), of);
  const { action } = await imported(lines.join('\n'));
  expect(action.result).toMatchObject({ done_count: discounts.length, failed: [] });
  for (const { code, discount } of vouchers) expect((await shown(code)).discount).toEqual(discount);
});

test('a formula is checked as in bodies, and replaces a value that bodies do not need', async () => {
  const file = [
    'Code,Voucher Type,Value,Discount Type,Formula',
    'NO-AMOUNT,DISCOUNT_VOUCHER,,AMOUNT,ORDER_AMOUNT',
    'NO-PRICE,DISCOUNT_VOUCHER,,FIXED,ORDER_AMOUNT',
    'NO-UNIT,DISCOUNT_VOUCHER,0,UNIT,ORDER_AMOUNT',
    `LONG,DISCOUNT_VOUCHER,1,AMOUNT,${'1'.repeat(5_001)}`,
    'OF-NOTHING,DISCOUNT_VOUCHER,1,constructor,ORDER_AMOUNT',
  ].join('\n');
  const { action } = await imported(file);
  expect(action.result.failed).toMatchObject([
    { code: 'NO-AMOUNT', reason: 'value is required' },
    { code: 'NO-PRICE', reason: 'value is required' },
    { code: 'NO-UNIT', reason: 'value must be 1 or more units' },
    { code: 'LONG', reason: expect.stringMatching(/^formula must have at most/) },
    { code: 'OF-NOTHING', reason: expect.stringMatching(/type/) },
  ]);
});

test("a campaign's vouchers inherit what their rows lack, and it counts the new ones", async () => {
  const file = 'Code,Category,Active\nOPEN-1,Paper,false\nOPEN-2,,\nOPEN-3,cat_1,false\nKNOWN,,true\nOPEN-2,Paper,\n';
  const before = (await countOf('camp_open')) ?? 0;
  const { status, action } = await imported(file, 'Open');
  expect([status, action.type]).toEqual([200, 'CAMPAIGN.VOUCHERS_IMPORT_CSV']);
  expect(action.result).toMatchObject({
    done_count: 3,
    failed: [
      { code: 'KNOWN', row: 4, reason: expect.stringContaining('another campaign') },
      { code: 'OPEN-2', row: 5, reason: expect.stringContaining('repeats the code of row 2') },
    ],
  });
  expect(await countOf('camp_open')).toBe(before + 2);
  expect(await shown('OPEN-1')).toMatchObject({ active: false, category: 'Paper' });
  expect(await shown('OPEN-2')).toMatchObject({ active: true, category: null, discount: { amount_off: 1 } });
  expect(await shown('OPEN-3')).toMatchObject({ active: false, category: 'Paper' });
});

test('gift cards and loyalty cards equal their rows, and are disabled if their campaign has ended', async () => {
  await imported('Code,Gift Amount,Redeemed Amount\nGIFT-1,12.34,2\nGIFT-2,,\n', 'camp_over');
  expect(await shown('GIFT-1')).toMatchObject({ gift: { amount: 1234, balance: 1034 }, active: false });
  expect(await shown('GIFT-2')).toMatchObject({ gift: { amount: 700, balance: 700 }, active: false });
  await imported('Code,Loyalty Points,Active\nCARD-1,250,\nCARD-2,,true\n', 'camp_club');
  expect(await shown('CARD-1')).toMatchObject({ loyalty_card: { points: 250, balance: 250 }, active: true });
  expect((await shown('CARD-2')).loyalty_card).toMatchObject({ points: 10, balance: 10 });
});

test('a file without codes is refused, and so is one for a missing campaign', async () => {
  const { credentials: headers } = project;
  const reply = await caller(importVouchers)({ headers, body: { file: 'Value\n1\n' } });
  expect([reply.status, reply.body.details]).toEqual([400, 'line 1 must have a column code']);
  const into = (campaignId: string) =>
    caller(importIntoCampaign)({ headers, body: { file: 'Code\nA\n' }, params: { campaignId } });
  expect((await into('camp_nope')).body).toMatchObject({ key: 'not_found', resource_type: 'campaign' });
});

import { describe, expect, test } from 'vitest';
import { writeJournal, writeStatement } from '#addons/reports/closes/files.ts';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as importProducts } from '../../functions/products/import-products.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers-csv.ts';
import { caller } from '../support/call.ts';
import { exportedLines } from '../support/exports.ts';
import { loadSettings } from '../support/load-settings.ts';
import { card, programme } from '../support/loyalty.ts';
import { manageProjects, projectBody } from '../support/managed-projects.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadFile, type TestProject } from '../support/project.ts';

/** Currencies by ISO 4217: one major unit is this many minor units. */
const currencies = [
  ['JPY', { currency: 'JPY' }, 1, '1000', 1_000, 'without decimals, such as 1250'],
  ['EUR', { currency: 'EUR' }, 100, '10.25', 1_025, 'with up to 2 decimals, such as 12.50'],
  ['KWD', { currency: 'KWD' }, 1_000, '1.250', 1_250, 'with up to 3 decimals, such as 1.250'],
  ['none', {}, 100, '10.25', 1_025, 'with up to 2 decimals, such as 12.50'],
] as const;

async function imported({ id, credentials: headers }: TestProject, handler: typeof importVouchers, file: string) {
  const { body } = await caller(handler)({ headers, body: { file } });
  expect(body).toEqual({ async_action_id: expect.any(String) });
  await runOutbox(id);
  const params = { asyncActionId: body.async_action_id };
  return (await caller(getAction)({ headers, params })).body.result;
}

const lists = {
  customers: [{ id: 'cust_1', source_id: 'ada' }],
  campaigns: [programme('camp_club')],
  vouchers: [
    card('CARD', 500, { holder_id: 'cust_1' }),
    {
      ...{ code: 'FORMULA', type: 'DISCOUNT_VOUCHER', active: true },
      discount: { type: 'AMOUNT', amount_off: 1, amount_off_formula: 'MIN(ORDER_AMOUNT; 5)' },
    },
  ],
  rewards: [
    { id: 'rew_coin', name: 'Pay', type: 'COIN', parameters: { coin: { exchange_ratio: 0.5, points_ratio: 1 } } },
  ],
  reward_assignments: [
    { id: 'rewa_1', reward_id: 'rew_coin', related_object_id: 'camp_club', related_object_type: 'campaign' },
  ],
  earning_rules: [
    {
      ...{ id: 'ern_1', campaign_id: 'camp_club', active: true, event: 'order.paid' },
      loyalty: { type: 'FIXED', points: 1, points_formula: 'ORDER_AMOUNT' },
    },
  ],
};

describe.each(currencies)('a project of the currency %s', (_, settings, unit, major, minor, words) => {
  test('reads and writes amounts of files in its major units', async () => {
    const project = await loadSettings(settings, lists);
    const semicolons = major.replace('.', ',');
    const file = `Code;Voucher Type;Value;Gift Balance\nA;GIFT_VOUCHER;${semicolons};${semicolons}\nB;GIFT_VOUCHER;1,23456;\n`;
    expect(await imported(project, importVouchers, file)).toMatchObject({
      ...{ done_count: 1, failed: [{ code: 'B', reason: `value must be in major units ${words}` }] },
    });
    const { body } = await caller(getVoucher)({ headers: project.credentials, params: { code: 'A' } });
    expect(body.gift).toMatchObject({ amount: minor, balance: minor });
    await imported(project, importProducts, `source_id,price\ncup,${major}\n`);
    const products = { exported_object: 'product', parameters: { fields: ['source_id', 'price'] } };
    expect(await exportedLines(project, products)).toEqual(['Source ID,Price', `cup,${major}`]);
    const fields = ['code', 'value', 'gift_balance'];
    const vouchers = await exportedLines(project, { exported_object: 'voucher', parameters: { fields } });
    expect(vouchers).toContain(`A,${major},${major}`);
  });

  test('calculates formulas and the worth of points in its major units', async () => {
    const { credentials: headers } = await loadSettings(settings, lists);
    const order = { amount: 8 * unit };
    const customer = { source_id: 'ada' };
    const off = await caller(redeem)({
      headers,
      body: { redeemables: [{ object: 'voucher', id: 'FORMULA' }], customer, order: { ...order } },
    });
    expect(off.body.order).toMatchObject({ total_discount_amount: 5 * unit });
    const points = [{ object: 'voucher', id: 'CARD', reward: { id: 'rew_coin', points: 4 } }];
    const paid = await caller(redeem)({ headers, body: { redeemables: points, customer, order: { ...order } } });
    expect(paid.body.order).toMatchObject({ total_discount_amount: 2 * unit, total_amount: 6 * unit });
    const { body } = await caller(getVoucher)({ headers, params: { code: 'CARD' } });
    // Both orders of eight major units earned eight points, and one paid four.
    expect(body.loyalty_card.balance).toBe(500 + 8 + 8 - 4);
  });
});

test.each([
  [0, '1250'],
  [2, '12.50'],
  [3, '1.250'],
])('a close with %i decimals has amounts of %s', (decimals, written) => {
  const liability = { estimate_id: 'e', opening: 0, deferred: 1_250, redeemed: 0, caught_up: 0, closing: 1_250 };
  const points = { opening: 0, corrected: 0, opened: 0, earned: 0, spent: 0, returned: 0, expired: 0, adjusted: 0 };
  const from = '2026-05-01T00:00:00.000Z';
  const month = { month: '2026-05', from, to: '2026-06-01T00:00:00.000Z', liability };
  const close = {
    ...{ id: 'close_1', campaign_id: 'camp_1', campaign: 'Club', timezone: 'UTC' },
    months: [{ ...month, points: { ...points, transferred: 0, closing: 0 } }],
  };
  expect(writeStatement(close, decimals)).toContain(`,e,0,${written},0,0,${written}\r\n`);
  expect(writeJournal(close, decimals)).toContain(`revenue_from_sales,${written},,`);
});

describe('the decimals of a project', () => {
  const own = manageProjects();
  const decimalsOf = async (id: string) => (await own.get(id)).body.currency_decimals ?? 2;

  test('follow the currency that it gets, unless they are sent', async () => {
    const { body } = await own.create(projectBody({ currency: 'JPY' }));
    expect(await decimalsOf(body.id)).toBe(0);
    await own.update(body.id, { currency: 'EUR' });
    expect(await decimalsOf(body.id)).toBe(2);
    await own.update(body.id, { currency: 'KWD', currency_decimals: 2 });
    expect(await decimalsOf(body.id)).toBe(2);
    await own.update(body.id, { description: 'Dinars', currency: 'KWD' });
    expect(await decimalsOf(body.id)).toBe(2);
  });

  test('stay two in a project whose currency is older than its decimals', async () => {
    const { id, file } = await loadSettings({ currency: 'JPY', currency_decimals: 2 });
    await loadFile({ ...file, project: { id, name: 'Test', currency: 'JPY' } });
    expect(await decimalsOf(id)).toBe(2);
    await loadFile({ ...file, project: { id, name: 'Test', currency: 'KWD' } });
    expect(await decimalsOf(id)).toBe(3);
  });
});

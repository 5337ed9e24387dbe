import { describe, expect, test } from 'vitest';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as importCustomers } from '../../functions/customers/import-customers.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as importJson } from '../../functions/vouchers/import-vouchers.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers-csv.ts';
import { caller } from '../support/call.ts';
import { loadSettings } from '../support/load-settings.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { formOf } from '../support/spreadsheets.ts';

async function resultOf({ id, credentials: headers }: TestProject, actionId: string) {
  await runOutbox(id);
  return (await caller(getAction)({ headers, params: { asyncActionId: actionId } })).body.result;
}

async function imported(project: TestProject, file: string | Buffer, handler = importVouchers) {
  const form = formOf(Buffer.from(file));
  const { body } = await caller(handler)({ ...form, headers: { ...project.credentials, ...form.headers } });
  expect(body).toEqual({ async_action_id: expect.any(String) });
  return resultOf(project, body.async_action_id);
}

const voucher = async ({ credentials: headers }: TestProject, code: string) =>
  (await caller(getVoucher)({ headers, params: { code } })).body;

const header = 'Code;Voucher Type;Discount Type;Value;Expiration Date;Active;Redemption Limit';

describe('a file of a spreadsheet that writes decimal commas', () => {
  test('has amounts, percentages, dates, words and blanks in its form', async () => {
    const project = await loadProject();
    const rows = ['A;DISCOUNT_VOUCHER;AMOUNT;25,50;31.12.2026;WAHR; 7 ', 'P;DISCOUNT_VOUCHER;PERCENT;10%;;;'];
    const more = ['Q;DISCOUNT_VOUCHER;PERCENT;12,5 %;1.2.2026;;', 'N;DISCOUNT_VOUCHER;AMOUNT; 3 ;;ONWAAR;'];
    expect(await imported(project, [header, ...rows, ...more].join('\r\n'))).toMatchObject({ failed: [] });
    expect(await voucher(project, 'A')).toMatchObject({
      discount: { amount_off: 2550 },
      expiration_date: '2026-12-31T23:59:59.999Z',
      active: true,
      redemption: { quantity: 7 },
    });
    expect((await voucher(project, 'P')).discount).toEqual({ type: 'PERCENT', percent_off: 10 });
    expect(await voucher(project, 'Q')).toMatchObject({
      discount: { percent_off: 12.5 },
      expiration_date: '2026-02-01T23:59:59.999Z',
    });
    expect(await voucher(project, 'N')).toMatchObject({ discount: { amount_off: 300 }, active: false });
  });

  test.each([
    ['an amount with a separator of thousands', 'AMOUNT;1.250,00;;;', 'value must be in major units'],
    ['an amount of three decimals', 'AMOUNT;1,250;;;', 'value must be in major units'],
    ['a day that does not exist', 'AMOUNT;1;30.02.2026;;', 'expiration_date must be an existing date'],
    ['a year of two digits', 'AMOUNT;1;31.12.26;;', 'expiration_date must be an existing date'],
    ['a word that is neither', 'AMOUNT;1;;VIELLEICHT;', 'active must be'],
    ['a percentage as an amount', 'AMOUNT;10%;;;', 'value must be in major units'],
  ])('fails a row with %s', async (_, cells, reason) => {
    const result = await imported(await loadProject(), `${header}\r\nX;DISCOUNT_VOUCHER;${cells}\r\n`);
    expect(result).toMatchObject({ done_count: 0, failed: [{ reason: expect.stringContaining(reason) }] });
  });

  test('has commas as decimals in no file whose cells are separated by commas', async () => {
    const file = 'Code,Voucher Type,Value,Active\nA,GIFT_VOUCHER,"1,5",\nB,GIFT_VOUCHER,1,WAHR\n';
    expect(await imported(await loadProject(), file)).toMatchObject({ done_count: 0, failed_count: 2 });
  });
});

describe('metadata', () => {
  const types = { size: 'number', sold: 'date', open: 'boolean', ean: 'string' };
  const properties = Object.entries(types).map(([key, type]) => [key, { type }]);
  const metadata_schemas = [{ related_object: 'customer', properties: Object.fromEntries(properties) }];

  test('has its declared types in the form of the file', async () => {
    const project = await loadProject({ metadata_schemas });
    const file = 'Source_id;size;sold;open;ean;free\na;1,5;3.4.2026;FAŁSZ;12,5;VERO\nb;;;;4,00638E+12;\n';
    expect(await imported(project, file, importCustomers)).toMatchObject({
      failed: [{ row: 2, reason: expect.stringMatching(/^metadata\.ean is 4,00638E\+12/) }],
    });
    const { body } = await caller(getCustomer)({ headers: project.credentials, params: { customerId: 'a' } });
    expect(body.metadata).toEqual({ size: 1.5, sold: '2026-04-03', open: false, ean: '12,5', free: true });
  });
});

describe('the encoding of a file', () => {
  const text = 'Source_id;Name\r\na;Köln\r\n';

  test.each([
    ['UTF-8', Buffer.from(text), undefined],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), undefined],
    ['Windows-1252', Buffer.from(text, 'latin1'), 'windows-1252'],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
    ['UTF-16, the other way round', Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'utf-16be'],
    ['tabs', Buffer.from(text.replaceAll(';', '\t')), undefined],
    ['a named separator', Buffer.from(`sep=;\r\n${text}`), undefined],
  ])('is recognised, and named if it is not UTF-8: %s', async (_, file, encoding) => {
    const project = await loadProject();
    const result = await imported(project, file, importCustomers);
    expect([result.failed, result.created_count, result.encoding]).toEqual([[], 1, encoding]);
    const { body } = await caller(getCustomer)({ headers: project.credentials, params: { customerId: 'a' } });
    expect(body.name).toBe('Köln');
  });
});

test('columns that a file of customers does not have change nothing, and an empty cell clears', async () => {
  const known = {
    id: 'cust_1',
    source_id: 'ana',
    name: 'Ana',
    phone: '+47 1',
    address: { city: 'Oslo', line_1: 'Quay 1' },
    metadata: { roast: 'light', vip: true },
  };
  const project = await loadProject({ customers: [known] });
  const shown = async () =>
    (await caller(getCustomer)({ headers: project.credentials, params: { customerId: 'ana' } })).body;
  const before = await shown();
  expect(await imported(project, 'Source_id,Email\nana,a@mail.example\n', importCustomers)).toMatchObject({
    ...{ created_count: 0, changed_count: 1, unchanged_count: 0, failed_count: 0 },
  });
  expect(await shown()).toEqual({ ...before, email: 'a@mail.example', updated_at: expect.any(String) });
  await imported(project, 'Source_id,Phone,City,vip\nana,,,\n', importCustomers);
  expect(await shown()).toMatchObject({ name: 'Ana', phone: null, metadata: { roast: 'light' } });
  expect((await shown()).address).toMatchObject({ line_1: 'Quay 1' });
  expect((await shown()).address.city ?? null).toBeNull();
  expect((await shown()).metadata).toEqual({ roast: 'light' });
  expect(await imported(project, 'Source_id,Phone,City,vip\nana,,,\n', importCustomers)).toMatchObject({
    ...{ changed_count: 0, unchanged_count: 1 },
  });
});

describe('a date without a time', () => {
  const terms = { type: 'GIFT_VOUCHER', gift: { amount: 100 } };

  test.each([
    ['UTC', '2026-07-01T00:00:00.000Z', '2026-07-31T23:59:59.999Z'],
    ['Europe/Oslo', '2026-06-30T22:00:00.000Z', '2026-07-31T21:59:59.999Z'],
    ['America/New_York', '2026-07-01T04:00:00.000Z', '2026-08-01T03:59:59.999Z'],
  ])('begins and ends with its day in %s, in files and in JSON', async (timezone, start_date, expiration_date) => {
    const project = await loadSettings({ timezone });
    const days = ['2026-07-01', '2026-07-31'];
    const file = `Code,Voucher Type,Value,Start Date,Expiration Date\nC,GIFT_VOUCHER,1,${days.join(',')}\n`;
    expect(await imported(project, file)).toMatchObject({ failed: [] });
    const rows = [
      { ...terms, code: 'J', start_date: days[0], expiration_date: days[1] },
      { ...terms, code: 'T', start_date: '2026-07-01T10', expiration_date: '2026-07-31T10:30:00+02:00' },
    ];
    const { body } = await caller(importJson)({ headers: project.credentials, body: rows });
    expect(await resultOf(project, body.async_action_id)).toMatchObject({ failed: [] });
    for (const code of ['C', 'J']) expect(await voucher(project, code)).toMatchObject({ start_date, expiration_date });
    expect(await voucher(project, 'T')).toMatchObject({
      start_date: '2026-07-01T10:00:00.000Z',
      expiration_date: '2026-07-31T08:30:00.000Z',
    });
  });
});

import { describe, expect, test } from 'vitest';
import { exportedObjects } from '#addons/files/exported-objects.ts';
import { readCsv } from '#kernel/kit/bulk/csv.ts';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as importIntoCampaign } from '../../functions/campaigns/import-campaign-vouchers-csv.ts';
import { handler as importCustomers } from '../../functions/customers/import-customers.ts';
import { handler as importProducts } from '../../functions/products/import-products.ts';
import { handler as importSkus } from '../../functions/skus/import-skus.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers-csv.ts';
import { handler as listVouchers } from '../../functions/vouchers/list-vouchers.ts';
import { caller } from '../support/call.ts';
import { terms, whole } from '../support/every-kind.ts';
import { exportedLines } from '../support/exports.ts';
import { giftVoucher } from '../support/lists.ts';
import { runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { formOf, saveBy, spreadsheets } from '../support/spreadsheets.ts';

const importers = { customer: importCustomers, product: importProducts, sku: importSkus, voucher: importVouchers };

type Kind = keyof typeof importers;

async function sent(project: TestProject, kind: Kind | 'camp_sale', file: Buffer) {
  const form = formOf(file);
  const headers = { ...project.credentials, ...form.headers };
  const { body } = await (kind === 'camp_sale'
    ? caller(importIntoCampaign)({ ...form, headers, params: { campaignId: kind } })
    : caller(importers[kind])({ ...form, headers }));
  expect(body).toEqual({ async_action_id: expect.any(String) });
  await runOutbox(project.id);
  const params = { asyncActionId: body.async_action_id };
  return (await caller(getAction)({ headers: project.credentials, params })).body.result;
}

/** Addresses of pictures contain a key of the project, and so do the ids of vouchers and rules. */
const ofProject = ['qr_code', 'bar_code', 'validation_rules_id'];

function exported(project: TestProject, kind: Kind, without: readonly string[] = []): Promise<string[]> {
  const { columns = [] } = exportedObjects.find(({ object }) => object === kind) ?? {};
  const fields = columns.filter((name) => !ofProject.includes(name) && !without.includes(name));
  return exportedLines(project, { exported_object: kind, parameters: { fields } });
}

const readJson = (cell: string): unknown => (/^[[{]/.test(cell) ? JSON.parse(cell) : cell);

/** Returns the rows of a file by their titles, in an order that does not depend on the time of creation. */
function rowsIn(lines: readonly string[]) {
  const [header, ...rows] = [...readCsv(lines.join('\r\n'))].map(({ cells }) => cells);
  const named = ([first = '', second = '', third = '']: readonly string[]) => first + second + third;
  return rows
    .toSorted((one, other) => (named(one) < named(other) ? -1 : 1))
    .map((cells) => cells.map((cell, column) => [header?.[column], readJson(cell)]));
}

/** Numbers that begin with zeros. The person makes these columns text, as the docs say. */
const texts = ['Address Postal Code'];

const every = Object.entries(spreadsheets);

describe.each(every)('a file that a %s spreadsheet saved', (_, sheet) => {
  test.each(['customer', 'product', 'sku', 'voucher'] as const)('of every %s changes nothing', async (kind) => {
    const project = await loadProject(whole);
    const lines = await exported(project, kind);
    const result = await sent(project, kind, saveBy(sheet, lines, texts));
    const all = rowsIn(lines).length;
    expect(result).toMatchObject({ failed: [], created_count: 0, changed_count: 0, unchanged_count: all });
    expect(rowsIn(await exported(project, kind))).toEqual(rowsIn(lines));
  });

  test.each([['product', 'sku'] as const, ['customer', 'voucher'] as const])(
    'of every %s and %s makes the same in another project',
    async (...kinds) => {
      const source = await loadProject(whole);
      const target = await loadProject(terms);
      const files = new Map<Kind, string[]>();
      for (const kind of kinds) files.set(kind, await exported(source, kind, kind === 'voucher' ? ['id'] : []));
      for (const [kind, lines] of files) {
        expect(await sent(target, kind, saveBy(sheet, lines, texts))).toMatchObject({ failed: [] });
      }
      for (const [kind, lines] of files) {
        expect(rowsIn(await exported(target, kind, kind === 'voucher' ? ['id'] : []))).toEqual(rowsIn(lines));
      }
    },
  );
});

/** Codes of digits alone: six are too long for a spreadsheet, and six begin with zeros. */
const codes = [
  ...Array.from({ length: 6 }, (_, index) => `99900011122${index}`),
  ...Array.from({ length: 6 }, (_, index) => `007123${index}`),
];

describe('twelve gift cards that were exported, saved by a spreadsheet and imported', () => {
  const cards = codes.map((code) => giftVoucher(code, { amount: 12_345, balance: 12_345 }));

  test.each(every)('are no more cards (%s)', async (_, sheet) => {
    const project = await loadProject({ vouchers: cards });
    const before = await exported(project, 'voucher');
    const result = await sent(project, 'voucher', saveBy(sheet, before));
    expect(result).toMatchObject({ done_count: 0, created_count: 0, changed_count: 0, failed_count: 12 });
    const { body } = await caller(listVouchers)({ headers: project.credentials });
    expect(body.total).toBe(12);
    expect(rowsIn(await exported(project, 'voucher'))).toEqual(rowsIn(before));
  });

  test('fail for what was changed: the code is shortened, or the id is of another code', async () => {
    const project = await loadProject({ vouchers: cards });
    const lines = await exported(project, 'voucher');
    const { failed } = await sent(project, 'voucher', saveBy(spreadsheets.English, lines));
    const reasons = failed.map(({ code, reason }: { code: string; reason: string }) => [code, reason]);
    expect(reasons).toContainEqual(['9.99E+11', expect.stringMatching(/^code is 9\.99E\+11, a long number/)]);
    expect(reasons).toContainEqual([
      '71230',
      expect.stringMatching(/^id v_\S+ belongs to a voucher with another code/),
    ]);
  });

  test('fail without their ids, too, where the code is shortened', async () => {
    const project = await loadProject();
    const file = Buffer.from('Code;Voucher Type;Value\r\n9,99E+11;GIFT_VOUCHER;5\r\n9,99E+11;GIFT_VOUCHER;5\r\n');
    expect(await sent(project, 'voucher', file)).toMatchObject({ done_count: 0, failed_count: 2 });
  });

  test('fail where one column was sorted alone', async () => {
    const project = await loadProject({ vouchers: [giftVoucher('A', { amount: 1 }), giftVoucher('B', { amount: 2 })] });
    const [header = '', one = '', other = ''] = await exportedLines(project, {
      exported_object: 'voucher',
      parameters: { fields: ['id', 'code', 'active'] },
    });
    const [id = '', ...rest] = one.split(',');
    const [otherId = '', ...otherRest] = other.split(',');
    const swapped = [header, [otherId, ...rest].join(','), [id, ...otherRest].join(',')];
    const result = await sent(project, 'voucher', Buffer.from(swapped.join('\r\n')));
    expect(result).toMatchObject({ done_count: 0, failed_count: 2 });
  });
});

describe('names of customers, products and SKUs', () => {
  test.each([
    ['customer', 'Source_id,Name\n9.99E+11,Ana\n'],
    ['product', 'source_id,name\n9.99E+11,Cup\n'],
    ['sku', 'product_id,source_id\nfree,9.99E+11\n'],
  ] as const)('fail the row of a %s if a spreadsheet has shortened them', async (kind, file) => {
    const result = await sent(await loadProject(terms), kind, Buffer.from(file));
    expect(result).toMatchObject({ done_count: 0, failed: [{ reason: expect.stringContaining('9.99E+11') }] });
  });

  test.each([
    ['customer', 'Id,Source_id,Name\ncust_1,other,New\n'],
    ['product', 'id,source_id,name\nprod_1,other,New\n'],
    ['sku', 'product_id,id,source_id,sku\ncup,sku_1,other,New\n'],
  ] as const)('fail the row of a %s if its id has another source id', async (kind, file) => {
    const project = await loadProject(whole);
    const before = await exported(project, kind);
    const result = await sent(project, kind, Buffer.from(file));
    expect(result).toMatchObject({ done_count: 0, failed: [{ reason: expect.stringContaining('another source_id') }] });
    expect(rowsIn(await exported(project, kind))).toEqual(rowsIn(before));
  });
});

test('a code that stands twice fails its second row, in both kinds of files', async () => {
  const project = await loadProject(whole);
  const rows = 'DUP,5.00\nDUP,50.00\nOTHER,1\n';
  const repeated = { row: 2, code: 'DUP', reason: 'code repeats the code of row 1: remove one of the two rows' };
  const file = `Code,Value,Voucher Type\n${rows.replaceAll('\n', ',GIFT_VOUCHER\n')}`;
  expect(await sent(project, 'voucher', Buffer.from(file))).toMatchObject({
    ...{ done_count: 2, created_count: 2, failed_count: 1, failed: [repeated] },
  });
  const { body } = await caller(getVoucher)({ headers: project.credentials, params: { code: 'DUP' } });
  expect(body.gift).toMatchObject({ amount: 500, balance: 500 });
  const ofCampaign = await sent(project, 'camp_sale', Buffer.from('Code\nC-1\nC-1\n'));
  expect(ofCampaign).toMatchObject({ done_count: 1, failed: [{ row: 2, code: 'C-1' }] });
});

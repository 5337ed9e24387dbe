import { describe, expect, test } from 'vitest';
import { eraseFromFile } from '#addons/upkeep/erasure/erase-files.ts';
import { exportFile } from '#kernel/kit/exports/export.ts';
import { handler as exportTransactions } from '../../functions/campaigns/export-campaign-transactions.ts';
import { handler as exportOrders } from '../../functions/orders/export-orders.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { shownExport, startExport } from '../support/exports.ts';
import { giftCampaign } from '../support/lists.ts';
import { loadSettings } from '../support/load-settings.ts';
import { runOutbox } from '../support/outbox.ts';
import type { TestProject } from '../support/project.ts';

const lists = {
  customers: [{ id: 'cust_1', source_id: 'a', name: 'ÄÖÜ€' }],
  campaigns: [giftCampaign('camp_gift', 'Gift', { amount: 700 })],
};

const load = (settings: object) => loadSettings(settings, lists);

async function fileOf(project: TestProject, id: string): Promise<string> {
  await runOutbox(project.id);
  expect(await shownExport(project, id)).toMatchObject({ status: 'DONE' });
  const chunks: Uint8Array[] = [];
  for await (const piece of testDependencies().files.pieces(exportFile(project.id, id), 0)) chunks.push(piece);
  return Buffer.concat(chunks).toString('utf8');
}

const mark = '\ufeff';

describe('the file of an export begins with a byte order mark', () => {
  test.each([
    ['no: neither the project nor the request says so', {}, {}, ''],
    ['yes: the project says so', { export_bom: true }, {}, mark],
    ['yes: the request says so', {}, { bom: true }, mark],
    ['yes: its parameters say so', {}, { parameters: { bom: true } }, mark],
    ['no: the request wins over the project', { export_bom: true }, { parameters: { bom: false } }, ''],
  ])('%s', async (_, settings, more, begins) => {
    const project = await load(settings);
    const id = await startExport(project, { exported_object: 'customer', ...more });
    expect(await fileOf(project, id)).toBe(`${begins}Name,Source ID\r\nÄÖÜ€,a\r\n`);
  });

  test('also of the paths that end in export', async () => {
    const project = await load({});
    const orders = await startExport(project, { bom: true }, exportOrders);
    expect((await fileOf(project, orders)).startsWith(mark)).toBe(true);
    const params = { campaignId: 'camp_gift' };
    const { body } = await caller(exportTransactions)({ headers: project.credentials, params, body: { bom: true } });
    expect((await fileOf(project, body.id)).startsWith(mark)).toBe(true);
  });
});

test('the file of an export is CSV by its type', () => {
  expect(exportFile('proj_1', 'exp_1').type).toBe('text/csv; charset=utf-8');
});

test('a file keeps its byte order mark when a person is erased from it', async () => {
  const project = await load({ export_bom: true });
  const parameters = { fields: ['id', 'name'] };
  const id = await startExport(project, { exported_object: 'customer', parameters });
  expect(await fileOf(project, id)).toBe(`${mark}ID,Name\r\ncust_1,ÄÖÜ€\r\n`);
  const person = { isNamed: (text: string) => text === 'cust_1', mayBeNamed: () => false, isWithin: () => false };
  const partAt = (number: number) => ({ ...exportFile(project.id, id), place: `part-${number}` });
  const file = exportFile(project.id, id);
  await eraseFromFile(testDependencies().files, { file, partAt, isOfCustomers: true, person });
  expect(await fileOf(project, id)).toBe(`${mark}ID,Name\r\n`);
});

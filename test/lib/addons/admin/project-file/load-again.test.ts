import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { ProjectFileError } from '#addons/admin/project-file/faults.ts';
import { loadProjectFile } from '#addons/admin/project-file/load.ts';
import { handler as enableHandler } from '../../../../../functions/vouchers/enable-voucher.ts';
import { handler as voucherHandler } from '../../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../../support/call.ts';
import { clientWith, isTransaction } from '../../../../support/client.ts';
import { testDependencies, testTime } from '../../../../support/dependencies.ts';
import { credentialsOf, loadCutOff, loadFile, projectFile, withFile } from '../../../../support/project.ts';
import { everyItemOf } from './every-item.ts';

const { dynamodb, tableName } = testDependencies();

describe('loading again', () => {
  const card = {
    code: 'CARD',
    type: 'LOYALTY_CARD',
    loyalty_card: { points: 100 },
    redemption: { redeemed_points: 0 },
  };
  const gift = { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 500 } };
  const plain = {
    code: 'PLAIN',
    type: 'DISCOUNT_VOUCHER',
    additional_info: 'first',
    expiration_date: '2027-01-01T00:00:00Z',
    redemption: { quantity: 5 },
  };

  test("changes the file's entries, removes missing ones, and leaves figures that have moved", async () => {
    const file = projectFile({ vouchers: [card, gift, plain] });
    await loadFile(file);
    const items = await everyItemOf(file.project.id);
    const moved: Record<string, object> = {
      CARD: { credited_points: 150, lots: [{ points: 90, expires: null }], redeemed_points: 60, redeemed_quantity: 1 },
      GIFT: { gift_balance: 100, redeemed_amount: 400, redeemed_quantity: 2 },
      PLAIN: { redeemed_quantity: 4, updated_at: '2026-06-20T00:00:00.000Z' },
    };
    for (const item of items) {
      const figures = moved[String(item.code)];
      if (figures) await dynamodb.send(new PutCommand({ TableName: tableName, Item: { ...item, ...figures } }));
    }

    const { expiration_date, ...kept } = plain;
    const changed = { ...kept, additional_info: 'second', redemption: { quantity: 6, redeemed_quantity: 0 } };
    await loadFile({ ...file, vouchers: [card, { ...gift, metadata: { a: 1 } }, changed] });
    const get = caller(voucherHandler);
    const read = async (code: string) => (await get({ params: { code }, headers: credentialsOf(file) })).body;
    expect(await read('CARD')).toMatchObject({
      loyalty_card: { points: 150, balance: 90 },
      redemption: { redeemed_points: 60, redeemed_quantity: 1 },
    });
    expect(await read('GIFT')).toMatchObject({
      metadata: { a: 1 },
      gift: { amount: 500, balance: 100 },
      redemption: { redeemed_amount: 400, redeemed_quantity: 2 },
    });
    expect(await read('PLAIN')).toMatchObject({
      additional_info: 'second',
      expiration_date: null,
      redemption: { quantity: 6, redeemed_quantity: 4 },
      updated_at: '2026-06-20T00:00:00.000Z',
    });
  });

  test('gives entries without ids the same ids', async () => {
    const file = projectFile({
      categories: [{ name: 'One' }],
      campaigns: [{ name: 'Nameless', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC', category: 'One' }],
      customers: [{ source_id: 'shop-1' }, { name: 'Nobody' }, { name: 'Nobody' }],
      vouchers: [{ ...card, campaign: 'Nameless' }],
      earning_rules: [{ campaign_id: 'Nameless', event: 'e', active: true, loyalty: { type: 'FIXED', points: 1 } }],
      event_schema: [{ name: 'e', metadata: {} }],
      activities: [{ type: 'customer.confirmed', data: { data: { customer: { source_id: 'shop-1' } } } }],
      pending_points: [{ code: 'CARD', points: 1 }],
    });
    await loadFile(file);
    const before = await everyItemOf(file.project.id);
    await loadFile(file, new Date('2026-08-01T00:00:00Z'));
    expect(await everyItemOf(file.project.id)).toEqual(before);
    expect(before.filter(({ sk }) => sk === 'CUSTOMER')).toHaveLength(3);
    const customer = before.find(({ source_id }) => source_id === 'shop-1');
    expect(before.find(({ type }) => type === 'customer.confirmed')).toMatchObject({
      data: { data: { customer: { id: customer?.id } } },
    });
  });

  test('by several loaders at once ends like one load', async () => {
    const file = projectFile({
      categories: Array.from({ length: 5 }, (_, index) => ({ name: `Category ${index}` })),
      vouchers: Array.from({ length: 60 }, (_, index) => ({ ...card, code: `CARD-${index}` })),
    });
    await Promise.all([loadFile(file), loadFile(file), loadFile(file)]);
    const before = await everyItemOf(file.project.id);
    await loadFile(file);
    expect(await everyItemOf(file.project.id)).toEqual(before);
    const get = caller(enableHandler);
    expect((await get({ params: { code: 'CARD-59' }, headers: credentialsOf(file) })).status).toBe(200);
  });
});

test('keeps API changes to entries that the file has not changed, and another file is loaded', async () => {
  const file = projectFile({ vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER', active: false }] });
  const start = (content: unknown) =>
    withFile(content, (path) => loadProjectFile(path, { dynamodb, tableName, now: testTime, unlessLoaded: true }));
  const active = async () =>
    (await caller(voucherHandler)({ params: { code: 'A' }, headers: credentialsOf(file) })).body.active;
  const report = await start(file);
  await caller(enableHandler)({ params: { code: 'A' }, headers: credentialsOf(file) });
  expect(await start(file)).toEqual({ ...report, isNew: false, written: 0 });
  expect(report.isNew).toBe(true);
  expect(await active()).toBe(true);
  await start({ ...file, project: { ...file.project, name: 'Renamed' } });
  expect(await active()).toBe(false);

  // An interrupted load leaves neither file complete in the table.
  await caller(enableHandler)({ params: { code: 'A' }, headers: credentialsOf(file) });
  await expect(loadCutOff(file, isTransaction)).rejects.toThrow('a write may have succeeded');
  await start({ ...file, project: { ...file.project, name: 'Renamed' } });
  expect(await active()).toBe(false);
  await expect(start('{"project": 1}')).rejects.toThrow(ProjectFileError);
});

test('sends no batch of inserts after a whole load, because refused inserts cost as much', async () => {
  const vouchers = ['A', 'B', 'C'].map((code) => ({ code, type: 'DISCOUNT_VOUCHER', active: false }));
  const file = projectFile({ vouchers: vouchers.slice(0, 2) });
  const batches = async (content: unknown) => {
    let sent = 0;
    const watched = clientWith(dynamodb, (command, real) => {
      if ('Statements' in command.input) sent += 1;
      return real();
    });
    await withFile(content, (path) => loadProjectFile(path, { dynamodb: watched, tableName, now: testTime }));
    return sent;
  };
  expect(await batches(file)).toBeGreaterThan(0);
  expect(await batches({ ...file, vouchers })).toBe(0);
  const stored = (await everyItemOf(file.project.id)).filter(({ kind }) => kind === 'VOUCHER');
  expect(stored.map(({ code }) => code).sort()).toEqual(['A', 'B', 'C']);
});

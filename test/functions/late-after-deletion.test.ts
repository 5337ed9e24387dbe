import { afterAll, beforeAll, expect, test } from 'vitest';
import { handler as emptyBin } from '../../functions/trash-bin/delete-trash-bin-entry.ts';
import { handler as listBin } from '../../functions/trash-bin/list-trash-bin.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as deleteVoucher } from '../../functions/vouchers/delete-voucher.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { handler as importVouchers } from '../../functions/vouchers/import-vouchers.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { isWrite } from '../support/faults.ts';
import { lateWrites } from '../support/late-writes.ts';
import { credentialsOf, loadFile, projectFile } from '../support/project.ts';

let proxy: FaultProxy;
beforeAll(async () => {
  proxy = await startFaultProxy();
});
afterAll(() => proxy.close());

const gift = (amount: number) => ({ code: 'GONE', type: 'GIFT_VOUCHER', gift: { amount } });

const deletions = {
  'at once': async (headers: Record<string, string>) => {
    const { status } = await caller(deleteVoucher)({ headers, params: { code: 'GONE' }, query: 'force=true' });
    expect(status).toBe(204);
  },
  'through the bin': async (headers: Record<string, string>) => {
    expect((await caller(deleteVoucher)({ headers, params: { code: 'GONE' } })).status).toBe(204);
    const [{ id: binEntryId }] = (await caller(listBin)({ headers })).body.data;
    expect((await caller(emptyBin)({ headers, params: { binEntryId } })).status).toBe(204);
  },
};

test.each(Object.entries(deletions))(
  'a gift card that was deleted %s does not come back with its balance, and its code can be used again',
  async (_, remove) => {
    const file = projectFile({});
    await loadFile(file);
    const headers = credentialsOf(file);
    const read = async () => {
      const { status, body } = await caller(getVoucher)({ headers, params: { code: 'GONE' } });
      return status === 200 ? body.gift.balance : status;
    };
    let late = lateWrites['arrives after its repetition was carried out'](0);
    const calls = proxy.run((call) => {
      const isFirst = isWrite(call) && calls.filter(isWrite).length === 1;
      if (isFirst) late = lateWrites['arrives after its repetition was carried out'](call.number);
      return late.plan(call);
    });
    const container = testDependencies({ dynamodb: proxy.client });
    expect((await caller(createVoucher, container)({ headers, body: gift(5_000) })).status).toBe(200);
    const arrives = late.deliver;
    await remove(headers);
    await arrives();
    expect(await read()).toBe(404);
    expect((await caller(createVoucher)({ headers, body: gift(100) })).status).toBe(200);
    expect(await read()).toBe(100);
    expect((await caller(createVoucher)({ headers, body: gift(7) })).body.key).toBe('duplicate_found');
  },
);

test.each(Object.entries(deletions))('the code of a voucher that was deleted %s is free', async (_, remove) => {
  const file = projectFile({});
  await loadFile(file);
  const headers = credentialsOf(file);
  // It is the only code of its form.
  const drawn = { type: 'GIFT_VOUCHER', gift: { amount: 100 }, code_config: { pattern: 'GON#', charset: 'E' } };
  const ways = {
    drawn: () => caller(createVoucher)({ headers, body: drawn }),
    imported: () => caller(importVouchers, testDependencies())({ headers, body: [gift(100)] }),
  };
  expect((await ways.drawn()).body.code).toBe('GONE');
  expect((await ways.drawn()).body.key).toBe('invalid_code_config');
  expect((await ways.imported()).body.key).toBe('duplicate_key');
  await remove(headers);
  expect((await ways.imported()).status).toBe(202);
  expect((await ways.drawn()).body.code).toBe('GONE');
});

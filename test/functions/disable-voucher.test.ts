import { expect, test } from 'vitest';
import { voucherLists } from '#engine/ledger/codes/voucher-lists.ts';
import { readAll } from '#kernel/table/listing.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as disableHandler } from '../../functions/vouchers/disable-voucher.ts';
import { handler as enableHandler } from '../../functions/vouchers/enable-voucher.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

const discount = { type: 'PERCENT', percent_off: 10 };
const campaign = { id: 'camp_1', name: 'One', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' };

test('a disabled voucher is not given out, and an enabled one is given out again', async () => {
  const dependencies = testDependencies();
  const { dynamodb, tableName, clock } = dependencies;
  const project = await loadProject({
    campaigns: [{ ...campaign, voucher: { type: 'DISCOUNT_VOUCHER', discount } }],
    vouchers: [{ code: 'GIVE', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_1', active: true }],
  });
  const free = async () =>
    (await readAll(new Table(dynamodb, tableName, clock()), voucherLists.free, [project.id, 'camp_1'])).length;
  const request = { params: { code: 'GIVE' }, headers: project.credentials };

  expect(await free()).toBe(1);
  for (let twice = 0; twice < 2; twice++) {
    expect((await caller(disableHandler, dependencies)(request)).body).toMatchObject({ code: 'GIVE', active: false });
    expect(await free()).toBe(0);
  }
  expect((await caller(enableHandler, dependencies)(request)).body).toMatchObject({ active: true });
  expect(await free()).toBe(1);
});

import { expect, test } from 'vitest';
import { takeBlock } from '#engine/holds/blocks/block.ts';
import { redemptionRecords } from '#engine/holds/items/hold-item.ts';
import { hold } from '#engine/holds/standing/hold.ts';
import { voucherIds } from '#engine/ledger/codes/voucher-lists.ts';
import { vouchers as voucherKey } from '#engine/vouchers/voucher.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { Table } from '#kernel/table/table.ts';
import { settleDue } from '#registry.ts';
import { handler as redeemHandler } from '../../../../functions/redemptions/redeem-redeemables.ts';
import { handler as getHandler } from '../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../support/call.ts';
import {
  newClient,
  ownTable,
  patienceOfCrowd,
  standingClock,
  testDependencies,
  uniqueId,
} from '../../../support/dependencies.ts';
import { itemsOf } from '../../../support/outbox.ts';
import { loadProject } from '../../../support/project.ts';
import { coupon, vouchers } from '../../../support/redeeming.ts';

/** A code without a limit on which containers died. It has its own table, because a run sweeps every project of the table. */
async function shop() {
  const clock = standingClock();
  const tableName = await ownTable();
  const dependencies = { ...testDependencies({ tableName }), clock };
  const { id, credentials: headers } = await loadProject(
    { vouchers: [coupon('TEA', { redemption: { quantity: null, redeemed_quantity: 0 } })] },
    dependencies,
  );
  const project = await findProject(new Table(newClient(), tableName, clock()), id);
  if (!project) throw new Error('the project was not loaded');
  const key = voucherKey(id, voucherIds(project, 'TEA')[0] ?? '');
  const held = { key, by: { redeemed_quantity: 1 } };
  const context = () => ({ table: new Table(newClient(), tableName, clock(), patienceOfCrowd), project, now: clock() });
  const body = { redeemables: vouchers('TEA'), order: { amount: 500 } };
  return {
    redeem: () => caller(redeemHandler, dependencies)({ headers, body }),
    dieHolding: () => hold(context(), redemptionRecords, held, uniqueId('r_')),
    dieWithBlock: () => takeBlock(context(), redemptionRecords, held, { by: held.by, size: 8, isSingle: false }),
    shown: async () =>
      (await caller(getHandler, dependencies)({ headers, params: { code: 'TEA' } })).body.redemption.redeemed_quantity,
    stored: async () => {
      const [item = {}] = await itemsOf(id, 'VOUCHER', dependencies);
      const { redeemed_quantity, blocks_until, dueAt, ...others } = item;
      const holds = Object.keys(others).filter((name) => name.startsWith('hold ')).length;
      return { redeemed_quantity, isDue: dueAt !== undefined, isToBeLookedAt: blocks_until !== undefined, holds };
    },
    sweep: () => settleDue(dependencies),
    later: (seconds: number) => clock.advance(seconds),
  };
}

const settled = { isDue: false, isToBeLookedAt: false, holds: 0 };

test('a sweep settles the count of a code after deaths, though nobody redeems it any more', async () => {
  const { redeem, dieHolding, dieWithBlock, shown, stored, sweep, later } = await shop();
  expect((await redeem()).status).toBe(200);
  await dieHolding();
  await dieWithBlock();
  expect(await stored()).toMatchObject({ redeemed_quantity: 1 + 1 + 8, isDue: true });
  expect(await sweep()).toMatchObject({ settled: 0, failed: 0 });
  expect(await shown()).toBe(1);
  later(3_600);
  expect(await sweep()).toMatchObject({ settled: 1, failed: 0 });
  expect(await stored()).toEqual({ redeemed_quantity: 1, ...settled });
  expect(await sweep()).toMatchObject({ settled: 0, skipped: 0 });
  expect(await shown()).toBe(1);
});

test('redemptions during a sweep stay counted, and their code is swept again', async () => {
  const { redeem, dieHolding, stored, sweep, later } = await shop();
  await dieHolding();
  later(3_600);
  const [, , ...replies] = await Promise.all([sweep(), sweep(), ...Array.from({ length: 20 }, redeem)]);
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  later(3_600);
  await dieHolding();
  later(3_600);
  await sweep();
  expect(await stored()).toEqual({ redeemed_quantity: 20, ...settled });
});

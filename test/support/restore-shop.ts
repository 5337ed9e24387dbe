import { expect, onTestFinished } from 'vitest';
import { keyText } from '#kernel/table/keys.ts';
import { type RawTable, rawKey } from '#kernel/table/raw-items.ts';
import { handler as adjustCredits } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as updateVoucher } from '../../functions/vouchers/update-voucher.ts';
import type { Pair } from '../../infra/operator/restore/differences.ts';
import { caller } from './call.ts';
import { ownTable, testDependencies, testTime } from './dependencies.ts';
import { type Club, card, entry, newClub } from './loyalty.ts';
import { namedTable, operate } from './operator.ts';
import { itemsIn, liveTable, snapshot } from './two-tables.ts';

export interface Shop {
  club: Club;
  live: RawTable;
  /** Holds the table in the state after the shop's first changes. */
  side: RawTable;
  pair: Pair;
  run: (...args: string[]) => ReturnType<typeof operate>;
  change: (code: string, metadata: object) => Promise<unknown>;
}

/** Makes a shop with ledgers in its own table, and a copy of its earlier table. */
export async function newShop(): Promise<Shop> {
  const dependencies = testDependencies({ tableName: await ownTable(onTestFinished) });
  const live = liveTable(dependencies);
  const club = await newClub(
    {
      customers: [{ id: 'cust_ada', source_id: 'ada' }],
      vouchers: [
        card('ADA', 500, { holder_id: 'cust_ada' }),
        card('BO', 300),
        { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 900, balance: 900 } },
        ...Array.from({ length: 40 }, (_, index) => ({
          code: `OFF-${index}`,
          type: 'DISCOUNT_VOUCHER',
          discount: { type: 'AMOUNT', amount_off: 5 },
        })),
      ],
    },
    dependencies,
  );
  for (const points of [40, 60])
    expect(await club.transfer('ADA', [entry('BO', points)])).toMatchObject({ status: 200 });
  const headers = club.project.credentials;
  const credited = await caller(
    adjustCredits,
    dependencies,
  )({ params: { code: 'GIFT' }, headers, body: { amount: 7 } });
  expect(credited.status).toBe(200);
  const side = await snapshot(live, await ownTable(onTestFinished));
  const env = { ...namedTable(), TABLE_NAME: live.tableName };
  return {
    club,
    live,
    side,
    pair: { live, side, now: testTime },
    run: (...args) => operate('restore', args, { env }),
    change: (code, metadata) => caller(updateVoucher, dependencies)({ params: { code }, headers, body: { metadata } }),
  };
}

/** Returns the items by their keys, without the mark of a copy. */
export const contentOf = async (table: RawTable) =>
  new Map((await itemsIn(table)).map(({ copied_back_at: _, ...item }) => [keyText(rawKey(item)), item]));

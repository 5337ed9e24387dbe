import { expect } from 'vitest';
import { sumPoints } from '#engine/ledger/lots.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as adjustHandler } from '../../functions/loyalties/adjust-pending-points.ts';
import { handler as tiersHandler } from '../../functions/loyalties/list-member-tiers.ts';
import { handler as transactionsHandler } from '../../functions/loyalties/list-member-transactions.ts';
import { handler as transferHandler } from '../../functions/loyalties/transfer-points.ts';
import { handler as voucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from './call.ts';
import { testDependencies, uniqueId } from './dependencies.ts';
import { loadProject } from './project.ts';

interface Lot {
  points: number;
  expires: string | null;
}

/** Makes a loyalty card of the project file, with a number of points or with these lots. */
export function card(code: string, points: number | readonly Lot[], more: object = {}) {
  const balance = typeof points === 'number' ? points : points.reduce((sum, lot) => sum + lot.points, 0);
  const lots = typeof points === 'number' ? {} : { lots: points };
  const loyalty_card = { points: balance, balance, ...lots };
  return { code, type: 'LOYALTY_CARD', campaign_id: 'camp_club', active: true, loyalty_card, ...more };
}

export function programme(id: string, more: object = {}) {
  return {
    id,
    name: `Name of ${id}`,
    campaign_type: 'LOYALTY_PROGRAM',
    type: 'STATIC',
    voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 0 } },
    ...more,
  };
}

export interface Entry {
  code: string;
  points: number;
  source_id: string;
  reason?: string;
}

export const entry = (code: string, points: number, source_id = uniqueId('tx-')): Entry => ({
  code,
  points,
  source_id,
});

/** Loads a project with loyalty cards, and returns a merchant's calls. */
export async function newClub(lists: Record<string, unknown>, dependencies = testDependencies()) {
  const project = await loadProject({ campaigns: [programme('camp_club')], ...lists }, dependencies);
  const { credentials: headers } = project;
  const get = caller(voucherHandler, dependencies);
  const transfer = caller(transferHandler, dependencies);
  const adjust = caller(adjustHandler, dependencies);
  const tiers = caller(tiersHandler, dependencies);
  const transactions = caller(transactionsHandler, dependencies);
  return {
    project,
    dependencies,
    /** Transfers into the card `memberId` of the campaign. */
    transfer: (memberId: string, body: unknown, campaignId = 'camp_club') =>
      transfer({ params: { campaignId, memberId }, headers, body }),
    adjust: (memberId: string, pendingPointsId: string, points: unknown) =>
      adjust({ params: { memberId, pendingPointsId }, headers, body: { points } }),
    tiers: (memberId: string) => tiers({ params: { memberId }, headers }),
    transactions: (memberId: string, query = '') => transactions({ params: { memberId }, headers, query }),
    voucher: async (code: string) => (await get({ params: { code }, headers })).body,
    balance: async (code: string): Promise<number> =>
      (await get({ params: { code }, headers })).body.loyalty_card.balance,
  };
}

export type Club = Awaited<ReturnType<typeof newClub>>;

type Ledgered = Pick<Club, 'project' | 'dependencies' | 'voucher' | 'transactions'>;

/** Reads the stored loyalty card. */
async function storedCard({ project, dependencies, voucher }: Ledgered, code: string) {
  const { dynamodb, tableName, clock } = dependencies;
  const { id } = await voucher(code);
  const { item } = await read(new Table(dynamodb, tableName, clock()), { item: vouchers(project.id, id) });
  if (!item) throw new Error(`no card has the code ${code}`);
  return item;
}

interface Row {
  type: string;
  points: number;
  balance: number;
  source_id: string | null;
  details: { event?: { id: string | null; type: string } };
}

/**
 * Returns all ledger rows of a card, oldest first. Checks that the first balance follows from the initial balance, and
 * each other from the previous balance. The last balance must be the card's.
 */
export async function ledgerOf(club: Ledgered, code: string) {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const { status, body } = await club.transactions(code, `limit=100&page=${page}`);
    expect(status).toBe(200);
    for (const row of body.data) {
      const { points, balance } = row.details.balance;
      rows.push({ ...row, points, balance });
    }
    if (!body.has_more) {
      expect(rows).toHaveLength(body.total);
      break;
    }
  }
  rows.reverse();
  const { opening_balance, lots, ledger_entries } = await storedCard(club, code);
  let balance = opening_balance;
  for (const row of rows) {
    balance += row.points;
    expect(row.balance).toBe(balance);
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  expect([balance, rows.length]).toEqual([sumPoints(lots), ledger_entries]);
  return rows;
}

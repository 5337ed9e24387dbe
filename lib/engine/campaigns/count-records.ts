import * as v from 'valibot';
import type { LedgerEntryType } from '#engine/ledger/ledger-entry.ts';
import { readTimezones } from '#kernel/access/projects/timezones.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { inTimezone } from '#kernel/core/local-time.ts';
import { type CountedRecord, countEach, countOnce } from '#kernel/table/count-totals.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { consume, consumer, type ItemChange } from '#kernel/table/stream.ts';
import type { Table } from '#kernel/table/table.ts';
import type { Update } from '#kernel/table/update.ts';
import { campaigns } from './campaign.ts';
import { type CampaignCounts, counterBehind } from './counters.ts';

/**
 * Counts from the stream's changes, after the writes: redemptions, referrals, moves of points, and vouchers made for a
 * customer. Transfers fill their transactions, and customers of one campaign would meet on its counters.
 */

/** Adjustments count in the write that makes them. Redemptions count their own points. */
const countersOfEntries: Readonly<Partial<Record<LedgerEntryType, keyof CampaignCounts>>> = {
  POINTS_ACCRUAL: 'points_rewarded',
  POINTS_EXPIRATION: 'points_expired',
  POINTS_TRANSFER_IN: 'points_transferred_in',
  POINTS_TRANSFER_OUT: 'points_transferred_out',
  PENDING_POINTS_ACTIVATION: 'pending_points_activated',
};

type Figures = Readonly<Partial<Record<string, number>>>;
const nothing: Figures = {};

/** Counts a new entry of a ledger. */
function countEntry({ before, after }: ItemChange<'LEDGER'>): Figures {
  const types: Readonly<Record<string, string>> = countersOfEntries;
  const name = before ? undefined : types[after?.type ?? ''];
  return name === undefined ? nothing : { [name]: Math.abs(after?.points ?? 0) };
}

/** Counts pending points. Pending points from a project file do not count. */
function countPending({ before, after }: ItemChange<'PENDING_POINTS'>): Figures {
  const [from, to] = [before?.state, after?.state];
  const [old, points] = [before?.points ?? 0, after?.points ?? 0];
  if (!before) return to === 'PENDING' && after?.created_at ? { pending_points_added: points } : nothing;
  if (from !== 'PENDING') return nothing;
  if (to === 'CANCELED') return { pending_points_canceled: old };
  if (to !== 'PENDING' || points === old) return nothing;
  return points > old ? { pending_points_added: points - old } : { pending_points_subtracted: old - points };
}

/** Counts a voucher that was made for its holder. */
function countVoucher({ before, after }: ItemChange<'VOUCHER'>): Figures {
  if (before || after?.made_for_holder !== true) return nothing;
  return {
    vouchers_created: 1,
    created_vouchers_amount: after.gift?.amount ?? 0,
    created_vouchers_points: after.opening_balance ?? 0,
  };
}

/** Returns the figures that the item itself carries. */
function readOwnFigures({ before, after }: ItemChange<'ACTIVITY' | 'REDEMPTION'>): Figures {
  return before ? nothing : (after?.figures ?? nothing);
}

interface Move extends CountedRecord {
  readonly projectId: string;
  readonly campaignId: string;
  readonly at: Date;
  readonly figures: readonly (readonly [name: string, by: number])[];
}

/** Returns the move of a change. Copies in a restored table were counted when they were new. */
function placeFigures({ after, isCopy, sequence }: ItemChange, counted: Figures): Move[] {
  const projectId = after?.project;
  const campaignId = after?.campaign_id ?? after?.related_object_parent_id;
  const at = after?.updated_at ?? after?.created_at ?? after?.date;
  if (isCopy || !projectId || !campaignId || !at) return [];
  const figures = Object.entries(counted).flatMap(([name, by]) => (by ? [[name, by] as const] : []));
  return figures.length === 0 ? [] : [{ projectId, campaignId, at: new Date(at), figures, sequence: BigInt(sequence) }];
}

const moves = consumer<Move>('figures of campaigns', {
  [kinds.ledger]: (change) => placeFigures(change, countEntry(change)),
  [kinds.pendingPoints]: (change) => placeFigures(change, countPending(change)),
  [kinds.voucher]: (change) => placeFigures(change, countVoucher(change)),
  [kinds.redemption]: (change) => placeFigures(change, readOwnFigures(change)),
  [kinds.activity]: (change) => placeFigures(change, readOwnFigures(change)),
});

/** Counts the figures of campaigns. */
export const figuresConsumer = { ...moves, count: countCampaigns };

/** Counts the vouchers that these moves made. */
function countVouchersMade(moves: readonly Move[]): number {
  return moves
    .flatMap(({ figures }) => figures)
    .reduce((sum, [name, by]) => (name === 'vouchers_created' ? sum + by : sum), 0);
}

async function countOne(
  table: Table,
  shardId: string,
  timezone: string,
  moves: readonly [Move, ...Move[]],
): Promise<void> {
  const [{ projectId, campaignId }] = moves;
  const key = campaigns(projectId, campaignId);
  if (!(await table.get(key, v.looseObject({})))) return;
  for (const [day, movesOfDay] of Map.groupBy(moves, ({ at }) => formatDay(inTimezone(at, timezone)))) {
    await countOnce(table, counterBehind(projectId, campaignId, day), shardId, movesOfDay, (update, open) =>
      open.flatMap(({ figures }) => figures).reduce((all, [name, by]) => all.add(name, by), update),
    );
  }
  const making = moves.filter((move) => countVouchersMade([move]) > 0);
  const add = (update: Update, open: readonly Move[]) =>
    update.whenThere().add('vouchers_count', countVouchersMade(open));
  if (making.length > 0) await countOnce(table, key, shardId, making, add, { exists: true });
}

/**
 * Counts each change once, for its day in the project's zone and in the campaign's number of vouchers. Ignores repeated changes and
 * deleted campaigns.
 */
export async function countCampaigns(table: Table, shardId: string, changes: readonly ItemChange[]): Promise<void> {
  const found = consume(moves, changes);
  if (found.length === 0) return;
  const zones = await readTimezones(
    table,
    found.map(({ projectId }) => projectId),
  );
  const byCampaign = Map.groupBy(found, ({ projectId, campaignId }) => JSON.stringify([projectId, campaignId]));
  await countEach(byCampaign, 'campaigns', async (_, [first, ...others]) => {
    if (first) await countOne(table, shardId, zones.get(first.projectId) ?? 'UTC', [first, ...others]);
  });
}

import type { AttributeValue } from 'aws-lambda';
import * as v from 'valibot';
import type { LedgerEntryType } from '#engine/ledger/ledger-entry.ts';
import { readTimezones } from '#kernel/access/projects/timezones.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { inTimezone } from '#kernel/core/local-time.ts';
import { isOfCopy, leaveOutFences, type StreamRecord } from '#kernel/table/stream.ts';
import type { Table } from '#kernel/table/table.ts';
import { type CountedRecord, countEach, countOnce } from '#kernel/table/totals.ts';
import type { Update } from '#kernel/table/update.ts';
import { campaigns } from './campaign.ts';
import { type CampaignCounts, counterBehind } from './counters.ts';

/**
 * Counts from the stream's records, behind the writes: redemptions, referrals, moves of points, and vouchers made for a
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

type Image = Readonly<Record<string, AttributeValue>> | undefined;
type Figures = Readonly<Partial<Record<string, number>>>;
const nothing: Figures = {};

const readText = (image: Image, name: string) => image?.[name]?.S;
const readNumber = (image: Image, name: string) => Number(image?.[name]?.N ?? 0);

/** Counts a new entry of a ledger. */
function countEntry(before: Image, after: Image): Figures {
  const types: Readonly<Record<string, string>> = countersOfEntries;
  const name = before ? undefined : types[readText(after, 'type') ?? ''];
  return name === undefined ? nothing : { [name]: Math.abs(readNumber(after, 'points')) };
}

/** Counts pending points. Pending points from a project file do not count. */
function countPending(before: Image, after: Image): Figures {
  const [from, to] = [readText(before, 'state'), readText(after, 'state')];
  const [old, points] = [readNumber(before, 'points'), readNumber(after, 'points')];
  if (!before) return to === 'PENDING' && readText(after, 'created_at') ? { pending_points_added: points } : nothing;
  if (from !== 'PENDING') return nothing;
  if (to === 'CANCELED') return { pending_points_canceled: old };
  if (to !== 'PENDING' || points === old) return nothing;
  return points > old ? { pending_points_added: points - old } : { pending_points_subtracted: old - points };
}

/** Counts a voucher that was made for its holder. */
function countVoucher(before: Image, after: Image): Figures {
  if (before || after?.made_for_holder?.BOOL !== true) return nothing;
  return {
    vouchers_created: 1,
    created_vouchers_amount: readNumber(after.gift?.M, 'amount'),
    created_vouchers_points: readNumber(after, 'opening_balance'),
  };
}

/** Returns the figures that the item itself carries. */
function readOwnFigures(before: Image, after: Image): Figures {
  const figures = before ? [] : Object.entries(after?.figures?.M ?? {});
  return Object.fromEntries(figures.map(([name, { N }]) => [name, Number(N ?? 0)]));
}

const countersByKind: Readonly<Record<string, (before: Image, after: Image) => Figures>> = {
  LEDGER: countEntry,
  PENDING_POINTS: countPending,
  VOUCHER: countVoucher,
  REDEMPTION: readOwnFigures,
  ACTIVITY: readOwnFigures,
};

interface Move extends CountedRecord {
  readonly projectId: string;
  readonly campaignId: string;
  readonly at: Date;
  readonly figures: readonly (readonly [name: string, by: number])[];
}

/** Returns the moves of a record. Copies in a restored table were counted when they were new. */
function readMoves(record: StreamRecord): Move[] {
  if (isOfCopy(record)) return [];
  const { OldImage: before, NewImage: after, SequenceNumber = '0' } = record.dynamodb ?? {};
  const projectId = readText(after, 'project');
  const campaignId = readText(after, 'campaign_id') ?? readText(after, 'related_object_parent_id');
  const at = readText(after, 'updated_at') ?? readText(after, 'created_at') ?? readText(after, 'date');
  const read = countersByKind[readText(after, 'kind') ?? ''];
  if (!read || !projectId || !campaignId || !at) return [];
  const figures = Object.entries(read(before, after)).flatMap(([name, by]) => (by ? [[name, by] as const] : []));
  if (figures.length === 0) return [];
  return [{ projectId, campaignId, at: new Date(at), figures, sequence: BigInt(SequenceNumber) }];
}

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
 * Counts each record once, for its day in the project's zone and in the campaign's number of vouchers. Ignores repeated records and
 * deleted campaigns.
 */
export async function countCampaigns(table: Table, shardId: string, records: readonly StreamRecord[]): Promise<void> {
  const moves = leaveOutFences(records).flatMap(readMoves);
  if (moves.length === 0) return;
  const zones = await readTimezones(
    table,
    moves.map(({ projectId }) => projectId),
  );
  const byCampaign = Map.groupBy(moves, ({ projectId, campaignId }) => JSON.stringify([projectId, campaignId]));
  await countEach(byCampaign, 'campaigns', async (_, [first, ...others]) => {
    if (first) await countOne(table, shardId, zones.get(first.projectId) ?? 'UTC', [first, ...others]);
  });
}

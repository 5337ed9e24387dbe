import type { AttributeValue } from 'aws-lambda';
import * as v from 'valibot';
import { dayOf } from '../core/calendar.ts';
import type { LedgerEntryType } from '../ledger/ledger-entry.ts';
import { isOfCopy, type StreamRecord } from '../table/stream.ts';
import type { Table } from '../table/table.ts';
import { type Counted, countEach, countOnce } from '../table/totals.ts';
import type { Update } from '../table/update.ts';
import { campaigns } from './campaign.ts';
import { type Counts, countsBehind } from './counters.ts';

/**
 * Redemptions, referrals, what happens to points, and vouchers that are made for somebody are counted for their campaign from the stream's
 * records, behind the writes: a transfer fills its transaction, and customers of one campaign would meet on its items.
 */

/** Adjustments count with the write that makes them, and points of redemptions with those. */
const countersOfEntries: Readonly<Partial<Record<LedgerEntryType, keyof Counts>>> = {
  POINTS_ACCRUAL: 'points_rewarded',
  POINTS_EXPIRATION: 'points_expired',
  POINTS_TRANSFER_IN: 'points_transferred_in',
  POINTS_TRANSFER_OUT: 'points_transferred_out',
  PENDING_POINTS_ACTIVATION: 'pending_points_activated',
};

type Image = Readonly<Record<string, AttributeValue>> | undefined;
type Figures = Readonly<Partial<Record<string, number>>>;
const nothing: Figures = {};

const textOf = (image: Image, name: string) => image?.[name]?.S;
const numberOf = (image: Image, name: string) => Number(image?.[name]?.N ?? 0);

/** A new entry of a ledger. */
function ofEntry(before: Image, after: Image): Figures {
  const types: Readonly<Record<string, string>> = countersOfEntries;
  const name = before ? undefined : types[textOf(after, 'type') ?? ''];
  return name === undefined ? nothing : { [name]: Math.abs(numberOf(after, 'points')) };
}

/** Points that wait: those that a project file brought are no news. */
function ofPending(before: Image, after: Image): Figures {
  const [from, to] = [textOf(before, 'state'), textOf(after, 'state')];
  const [old, points] = [numberOf(before, 'points'), numberOf(after, 'points')];
  if (!before) return to === 'PENDING' && textOf(after, 'created_at') ? { pending_points_added: points } : nothing;
  if (from !== 'PENDING') return nothing;
  if (to === 'CANCELED') return { pending_points_canceled: old };
  if (to !== 'PENDING' || points === old) return nothing;
  return points > old ? { pending_points_added: points - old } : { pending_points_subtracted: old - points };
}

/** A voucher that was made for the customer who holds it. */
function ofVoucher(before: Image, after: Image): Figures {
  if (before || after?.made_for_holder?.BOOL !== true) return nothing;
  return {
    vouchers_created: 1,
    created_vouchers_amount: numberOf(after.gift?.M, 'amount'),
    created_vouchers_points: numberOf(after, 'opening_balance'),
  };
}

/** What says itself what it counts. */
function ofItself(before: Image, after: Image): Figures {
  const figures = before ? [] : Object.entries(after?.figures?.M ?? {});
  return Object.fromEntries(figures.map(([name, { N }]) => [name, Number(N ?? 0)]));
}

const figuresOf: Readonly<Record<string, (before: Image, after: Image) => Figures>> = {
  LEDGER: ofEntry,
  PENDING_POINTS: ofPending,
  VOUCHER: ofVoucher,
  REDEMPTION: ofItself,
  ACTIVITY: ofItself,
};

interface Move extends Counted {
  readonly projectId: string;
  readonly campaignId: string;
  readonly day: string;
  readonly figures: readonly (readonly [name: string, by: number])[];
}

/** Copies of a restored table were counted when they were new. */
function movesOf(record: StreamRecord): Move[] {
  if (isOfCopy(record)) return [];
  const { OldImage: before, NewImage: after, SequenceNumber = '0' } = record.dynamodb ?? {};
  const projectId = textOf(after, 'project');
  const campaignId = textOf(after, 'campaign_id') ?? textOf(after, 'related_object_parent_id');
  const at = textOf(after, 'updated_at') ?? textOf(after, 'created_at') ?? textOf(after, 'date');
  const read = figuresOf[textOf(after, 'kind') ?? ''];
  if (!read || !projectId || !campaignId || !at) return [];
  const figures = Object.entries(read(before, after)).flatMap(([name, by]) => (by ? [[name, by] as const] : []));
  if (figures.length === 0) return [];
  return [{ projectId, campaignId, day: dayOf(new Date(at)), figures, sequence: BigInt(SequenceNumber) }];
}

/** One more voucher for each that was made. */
function madeOf(moves: readonly Move[]): number {
  return moves
    .flatMap(({ figures }) => figures)
    .reduce((sum, [name, by]) => (name === 'vouchers_created' ? sum + by : sum), 0);
}

async function countOne(table: Table, shardId: string, moves: readonly [Move, ...Move[]]): Promise<void> {
  const [{ projectId, campaignId }] = moves;
  const key = campaigns(projectId, campaignId);
  if (!(await table.get(key, v.looseObject({})))) return;
  for (const [day, ofDay] of Map.groupBy(moves, (move) => move.day)) {
    await countOnce(table, countsBehind(projectId, campaignId, day), shardId, ofDay, (update, open) =>
      open.flatMap(({ figures }) => figures).reduce((all, [name, by]) => all.add(name, by), update),
    );
  }
  const making = moves.filter((move) => madeOf([move]) > 0);
  const add = (update: Update, open: readonly Move[]) => update.whenThere().add('vouchers_count', madeOf(open));
  if (making.length > 0) await countOnce(table, key, shardId, making, add, { exists: true });
}

/**
 * Each record once, however often it is delivered: in the figures of its day, and in how many vouchers the campaign has. Nothing
 * is counted of a campaign that is gone.
 */
export async function countCampaigns(table: Table, shardId: string, records: readonly StreamRecord[]): Promise<void> {
  const byCampaign = Map.groupBy(records.flatMap(movesOf), ({ projectId, campaignId }) =>
    JSON.stringify([projectId, campaignId]),
  );
  await countEach(byCampaign, 'campaigns', async (_, [first, ...others]) => {
    if (first) await countOne(table, shardId, [first, ...others]);
  });
}

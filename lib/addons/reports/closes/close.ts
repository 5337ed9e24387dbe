import * as v from 'valibot';
import { described, named } from '#kernel/core/documented.ts';
import type { FileKind, FilePlace, Files } from '#kernel/core/files/files.ts';
import { count, dateTime, integer } from '#kernel/core/schema.ts';
import { csvType } from '#kernel/kit/exports/export.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { kind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import { closeSums, pointMoves } from './sum-card.ts';

/** The points of a programme in a month: `opening` and all moves make `closing`. */
const statement = v.object({
  opening: described(integer, 'The points when the month begins.'),
  corrected: described(
    integer,
    'The change of the opening since the last close: points of cards that were deleted, or loaded again.',
  ),
  ...pointMoves.entries,
  closing: described(integer, 'The points when the month ends.'),
});

export type Statement = v.InferOutput<typeof statement>;

/** The contract liability of a programme in a month, in minor currency units. */
const liability = v.object({
  estimate_id: v.string(),
  opening: described(integer, 'The liability when the month begins.'),
  deferred: described(
    integer,
    'The part of sales that was deferred for issued points. It is negative if points were taken back.',
  ),
  redeemed: described(integer, 'The revenue from redeemed points.'),
  caught_up: described(integer, 'The revenue that a changed estimate moved, for earlier redemptions.'),
  closing: described(integer, 'The liability when the month ends.'),
});

export type LiabilityStatement = v.InferOutput<typeof liability>;

const closeMonth = v.object({
  month: described(v.string(), 'The month, such as 2026-10.'),
  from: dateTime,
  to: dateTime,
  points: statement,
  liability: described(
    v.nullable(liability),
    'The contract liability in minor currency units, or null without an estimate.',
  ),
});

export type CloseMonth = v.InferOutput<typeof closeMonth>;

const pool = v.object({
  issued_points: integer,
  redeemed_points: integer,
  deferred_amount: integer,
  recognised_amount: integer,
});

const status = v.picklist(['SCHEDULED', 'IN_PROGRESS', 'DONE', 'ERROR']);

/** The figures with which a close continues from the end of the close before it. */
const ending = v.object({
  close_id: v.string(),
  points: integer,
  pool: v.optional(pool),
});

export const closeItem = v.object({
  id: v.string(),
  campaign_id: v.string(),
  campaign: v.string(),
  from: dateTime,
  at: dateTime,
  timezone: v.string(),
  created_at: dateTime,
  status,
  sales: v.optional(v.array(v.object({ month: v.string(), amount: count })), []),
  opening_amount: v.optional(count),
  previous: v.optional(ending),
  /** The sums of the cards that were walked. */
  sums: closeSums,
  /** The place in the list of cards after which the walk continues. */
  behind: v.optional(v.string()),
  is_walked: v.optional(v.boolean(), false),
  /** Counts the slices that were noted. Each note builds on the preceding note. */
  noted: v.optional(count, 0),
  months: v.optional(v.array(closeMonth), []),
  pool: v.optional(pool),
  /** The time until which the files exist. */
  files_until: v.optional(dateTime),
});

export type CloseItem = v.InferOutput<typeof closeItem>;

/** Stores closes permanently: the next close of the programme begins with the figures of the last close. */
export const closes = kind(kinds.pointsClose, closeItem);

/** Names the last close of a programme. Closes follow each other without a gap. */
export const closeBooks = kind(kinds.closeBooks, v.object({ last: v.optional(v.string()) }));

export const closeLists = {
  all: listing(listIndexes.first, 'CLOSES'),
  ofCampaign: listing(listIndexes.second, 'CLOSES_OF_CAMPAIGN'),
};

export function placeClose(
  projectId: string,
  { id, campaign_id, created_at }: Pick<CloseItem, 'id' | 'campaign_id' | 'created_at'>,
): Attributes {
  return {
    ...placeInList(closeLists.all, [projectId], [created_at, id]),
    ...placeInList(closeLists.ofCampaign, [projectId, campaign_id], [created_at, id]),
  };
}

const csv = { area: 'exports', type: csvType } as const;

export function statementFile(projectId: string, id: string): FilePlace & FileKind {
  return { ...csv, projectId, place: `${id}.csv`, name: `${id}.csv` };
}

export function journalFile(projectId: string, id: string): FilePlace & FileKind {
  return { ...csv, projectId, place: `${id}-journal.csv`, name: `${id}-journal.csv` };
}

const link = v.object({ url: v.string() });

export const closeReply = named(
  'PointsClose',
  v.object({
    id: v.string(),
    object: v.literal('points_close'),
    campaign_id: v.string(),
    campaign: v.string(),
    status,
    from: dateTime,
    at: described(dateTime, 'The end of the close, which it excludes.'),
    timezone: v.string(),
    created_at: dateTime,
    cards_count: described(count, 'The number of summed cards.'),
    months: described(v.array(closeMonth), 'The figures of each month, once the close is DONE.'),
    result: v.nullable(
      v.object({
        statement: described(link, 'The file with opening, moves and closing of each month.'),
        journal: described(link, 'The file with lines for a journal.'),
      }),
    ),
  }),
);

export type Close = v.InferOutput<typeof closeReply>;

/** Shows a close. The addresses of its files are signed again each time. */
export async function presentClose(
  item: CloseItem,
  { projectId, now, files }: { projectId: string; now: Date; files?: Pick<Files, 'link'> },
): Promise<Close> {
  const { id, campaign_id, campaign, from, at, timezone, created_at, months, files_until = '' } = item;
  const links =
    files && item.status === 'DONE' && now.toISOString() < files_until
      ? await Promise.all([statementFile(projectId, id), journalFile(projectId, id)].map((file) => files.link(file)))
      : [];
  const [statement, journal] = links.map((url) => ({ url }));
  const { cards } = item.sums;
  return {
    ...{ id, object: 'points_close', campaign_id, campaign, status: item.status, from, at, timezone, created_at },
    cards_count: cards,
    months: item.status === 'DONE' ? months : [],
    result: statement && journal ? { statement, journal } : null,
  };
}

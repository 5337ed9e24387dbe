import { newNumberedId } from '../core/ids.ts';
import type { Occasion } from './activities/activity.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import type { Lot } from './lots.ts';
import type { TierMove } from './tier-standing.ts';

/** A change of what a card has, before it has its place in the ledger. */
export interface Posting {
  type: LedgerEntry['type'];
  /** Above 0 credits, below 0 spends: points, or minor currency units of a gift card. */
  points: number;
  /** Whether what is taken away counts as never credited. */
  corrects?: boolean;
  /** Of a refund: the points that come back, as they were; they were credited before. */
  returned?: readonly Lot[];
  /** The last day (UTC) of points that are credited, `null` for none; without it, as the programme has it. */
  expires?: string | null | undefined;
  source_id?: string | null | undefined;
  reason?: string | null | undefined;
  about?: LedgerEntry['about'];
  /** Its id, where another entry names it: `nextEntryId` of its card. */
  id?: string;
  /** The other half of a transfer. */
  related_id?: string | undefined;
}

/** The id of the next entry of a card, if nothing else comes between. */
export function nextEntryId({ ledger_entries }: { ledger_entries: number }, now: Date): string {
  return newNumberedId('voucher_transaction', now, ledger_entries + 1);
}

/** By how much all that was ever credited changes. */
export function creditedBy({ points, corrects, returned }: Posting): number {
  if (returned) return 0;
  return corrects ? points : Math.max(points, 0);
}

interface Changed {
  item: { id: string; code: string; campaign_id?: string | null | undefined; ledger_entries: number };
  /** The name of its campaign. */
  campaign: string | undefined;
  /** After the posting: what is left, and all that was ever credited. */
  balance: number;
  credited: number;
  moves?: TierMove[];
}

/** The next entry of a card's ledger. */
export function newEntry(
  { item, campaign, balance, credited, moves = [] }: Changed,
  { now, groupId, source }: Occasion,
  { type, points, source_id, reason, about, id = nextEntryId(item, now), related_id }: Posting,
): LedgerEntry {
  const sequence = item.ledger_entries + 1;
  return {
    id,
    ...(related_id === undefined ? {} : { related_id }),
    type,
    points,
    balance,
    credited_points: credited,
    sequence,
    voucher_id: item.id,
    code: item.code,
    campaign_id: item.campaign_id ?? null,
    ...(campaign === undefined ? {} : { campaign }),
    source_id: source_id ?? null,
    reason: reason ?? null,
    about: about ?? {},
    created_at: now.toISOString(),
    group_id: groupId,
    event_source: source,
    moves,
  };
}

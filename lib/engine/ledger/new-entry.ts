import { newNumberedId } from '#kernel/core/ids.ts';
import type { Occasion } from './activities/activity.ts';
import type { LedgerEntry } from './ledger-entry.ts';
import type { Lot } from './lots.ts';
import type { TierMove } from './tier-standing.ts';

/** A change of a card, before it has its number in the ledger. */
export interface Posting {
  type: LedgerEntry['type'];
  /** Positive amounts credit, and negative amounts spend: points, or minor currency units of a gift card. */
  points: number;
  /** The subtracted points count as never credited. */
  corrects?: boolean;
  /** The lots of a refund, which were credited before. */
  returned?: readonly Lot[];
  /** The lots that are subtracted. Otherwise those that expire first are. */
  taken?: readonly Lot[];
  /** The expired lots. Their days say when the points expired, and the entry is written later. */
  lapsed?: readonly Lot[];
  /** The last day (UTC) of credited points, `null` for none. By default the programme decides. */
  expires?: string | null | undefined;
  source_id?: string | null | undefined;
  reason?: string | null | undefined;
  about?: LedgerEntry['about'];
  /** The id, if another entry refers to it: `nextEntryId` of its card. */
  id?: string;
  /** The other half of a transfer. */
  related_id?: string | undefined;
}

/** Returns the id of a card's next entry, if no other entry is made first. */
export function nextEntryId({ ledger_entries }: { ledger_entries: number }, now: Date): string {
  return newNumberedId('voucher_transaction', now, ledger_entries + 1);
}

/** Returns the change of all points ever credited. */
export function readCredited({ points, corrects, returned }: Posting): number {
  if (returned) return 0;
  return corrects ? points : Math.max(points, 0);
}

interface Changed {
  item: { id: string; code: string; campaign_id?: string | null | undefined; ledger_entries: number };
  /** The name of the card's campaign. */
  campaign: string | undefined;
  /** The balance after the posting, and all points ever credited. */
  balance: number;
  credited: number;
  moves?: TierMove[];
}

/** Makes the next entry of a card's ledger. */
export function newEntry(
  { item, campaign, balance, credited, moves = [] }: Changed,
  { now, groupId, source }: Occasion,
  { type, points, source_id, reason, about, id = nextEntryId(item, now), related_id, lapsed }: Posting,
): LedgerEntry {
  const sequence = item.ledger_entries + 1;
  return {
    id,
    ...(related_id === undefined ? {} : { related_id }),
    type,
    points,
    ...(lapsed === undefined ? {} : { lapsed: [...lapsed] }),
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

import * as v from 'valibot';
import type { Effect } from '#kernel/table/effects.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import { type ActivityOwner, recordActivities } from './activities/record-activities.ts';
import { deriveActivities, deriveActivityId } from './entry-activities.ts';
import { type LedgerEntry, ledgerEntryKey } from './ledger-entry.ts';

/** Lists all entries of a campaign's cards by id, and so by time. A new campaign has thousands a second. */
export const campaignLedger = listing(listIndexes.third, 'CAMPAIGN_LEDGER', { shards: 8 });

/** The attributes of an entry in the list. */
export const listedEntry = v.object({ id: v.string(), voucher_id: v.string() });

/**
 * Inserts the entry into the ledgers of its card and its campaign, and into the activities of its customer. `besides` are attributes that
 * no reader sees.
 */
export function recordEntry(
  projectId: string,
  reader: ActivityOwner | undefined,
  entry: LedgerEntry,
  besides: Attributes = {},
): Effect[] {
  const { id, voucher_id, campaign_id, sequence } = entry;
  return recordActivities(projectId, reader, {
    key: ledgerEntryKey(projectId, voucher_id, sequence),
    item: { ...entry, ...besides, ...(campaign_id ? placeInList(campaignLedger, [projectId, campaign_id], [id]) : {}) },
    listed: { id, voucher_id },
    id: deriveActivityId(entry),
    activities: deriveActivities(entry),
  });
}

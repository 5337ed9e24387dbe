import * as v from 'valibot';
import type { Effect } from '../table/effects.ts';
import type { Attributes } from '../table/item.ts';
import { listIndexes, listing, placed } from '../table/listing.ts';
import { type Reader, recordActivities } from './activities/record-activities.ts';
import { activitiesOf, activityIdOf } from './entry-activities.ts';
import { type LedgerEntry, ledgerEntryKey } from './ledger-entry.ts';

/** All entries of a campaign's cards by their ids, hence by time. A campaign in its first hour has thousands a second. */
export const campaignLedger = listing(listIndexes.third, 'CAMPAIGN_LEDGER', { shards: 8 });

/** What the list knows of an entry without reading it. */
export const listedEntry = v.object({ id: v.string(), voucher_id: v.string() });

/** Inserts the entry, with attributes of no reader's, in the ledger of its card, of its campaign, and among the activities of its reader. */
export function recordEntry(
  projectId: string,
  reader: Reader | undefined,
  entry: LedgerEntry,
  besides: Attributes = {},
): Effect[] {
  const { id, voucher_id, campaign_id, sequence } = entry;
  return recordActivities(projectId, reader, {
    key: ledgerEntryKey(projectId, voucher_id, sequence),
    item: { ...entry, ...besides, ...(campaign_id ? placed(campaignLedger, [projectId, campaign_id], [id]) : {}) },
    listed: { id, voucher_id },
    id: activityIdOf(entry),
    activities: activitiesOf(entry),
  });
}

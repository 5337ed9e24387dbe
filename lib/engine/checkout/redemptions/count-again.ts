import { campaigns } from '#engine/campaigns/campaign.ts';
import { isCounter } from '#engine/rules/counter.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import type { CounterWrite, ItemWrite } from '#kernel/kit/entries/item-write.ts';
import { type Addition, additionKey } from '#kernel/table/addition.ts';
import type { Attributes } from '#kernel/table/item.ts';
import type { RedemptionItem } from './redemption.ts';

/**
 * Lets limits count records that a file brings. Limits that began to count before the record came have walked past its place in the list
 * (`count-history.ts`). Their next walk skips counted records, because each has a mark.
 */

/** Makes the campaign and the voucher of a counting record forget how far they have counted. */
export function listForgotten(projectId: string, record: RedemptionItem): ItemWrite[] {
  const { object, status, related_object_type, related_object_id: id, related_object_parent_id: parent } = record;
  if (object !== 'redemption' || status !== 'SUCCEEDED') return [];
  const forgotten = { item: { counted_limits: undefined }, ifThere: true as const };
  return [
    ...(related_object_type === 'voucher' && id ? [{ ...forgotten, key: vouchers(projectId, id) }] : []),
    ...(parent
      ? [
          {
            ...forgotten,
            key: campaigns(projectId, parent),
            versioned: true as const,
            noted: { projectId, what: 'campaign' as const, id: parent },
          },
        ]
      : []),
  ];
}

/** A record of the file with its stored state. */
interface Both {
  readonly record: Pick<RedemptionItem, 'status' | 'taken'>;
  readonly stored: Pick<RedemptionItem, 'status' | 'taken'>;
}

const countsOf = ({ taken = [] }: Pick<RedemptionItem, 'taken'>): Addition[] => taken.filter(isCounter);

/** Returns the additions of the record, with its counts for limits. */
export function withCounts({ record, stored }: Both): Attributes {
  if (!record.taken && !stored.taken) return {};
  const isCounted = record.status === 'SUCCEEDED' && stored.status === 'SUCCEEDED';
  return { taken: [...(record.taken ?? []), ...(isCounted ? countsOf(stored) : [])] };
}

/** Returns the counts that a record loses, because it was rolled back at the other service. */
export function uncounted({ record, stored }: Both): CounterWrite[] {
  if (record.status === 'SUCCEEDED' || stored.status !== 'SUCCEEDED') return [];
  return countsOf(stored).map((one) => ({ key: additionKey(one), attribute: 'count', by: -(one.by.count ?? 0) }));
}

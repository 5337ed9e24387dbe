import { customerActivities } from '#engine/ledger/activities/record-activities.ts';
import { publicationItem } from '#engine/vouchers/publication.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { readKinds } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { readListParent } from '#kernel/table/listing.ts';
import type { FoundEvent } from '../events/find-events.ts';

/** The suffixes of types that are about a card, although an entry of its ledger reports them. */
const aboutCards = /\.(?:balance_added|points_added|points_expired)$/;

function textOf(item: Attributes, name: string): string | undefined {
  const value = item[name];
  return typeof value === 'string' ? value : undefined;
}

function entityOf({ key, type }: FoundEvent, item: Attributes): string | undefined {
  const { kind } = readKinds(key);
  const id = textOf(item, 'id');
  if (type.startsWith('customer.')) return readListParent(customerActivities, item) ?? id;
  // The campaign is the subject of jobs that generate its codes.
  if (kind === kinds.job) return textOf(item, 'about');
  if (kind === kinds.ledger && aboutCards.test(type)) return textOf(item, 'voucher_id');
  if (type === 'voucher.used_up') return textOf(item, 'related_object_id');
  if (type !== 'voucher.published') return id;
  const [only, ...others] = parseStored(publicationItem, item).vouchers;
  return only && others.length === 0 ? only.id : id;
}

/** Returns the id of the object that the event is about, and the group of events that one request brought about. */
export function subjectOf(event: FoundEvent, item: Attributes) {
  return {
    entity_id: entityOf(event, item) ?? null,
    group_id: event.group ?? textOf(item, 'group_id') ?? null,
  };
}

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { handler as sendEvent } from '../../functions/send-event.ts';
import { activityAt } from '../../lib/customers/activity.ts';
import { type Attributes, documentClient, Table } from '../../lib/dynamodb.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { Listing } from '../../lib/lists/counted-list.ts';
import { activityIdOf } from '../../lib/loyalty/ledger-entry.ts';
import { rewardAssignmentListing } from '../../lib/loyalty/reward.ts';
import type { Project } from '../../lib/projects/project.ts';
import { promotionTierListing } from '../../lib/promotions/promotion-tier.ts';
import { type Key, keyOf, keys, orderedLists } from '../../lib/table.ts';
import { voucherId } from '../../lib/vouchers/voucher-id.ts';
import { listItems } from '../support/lists.ts';
import { lambdaContext, recordingDependencies } from './compare.ts';
import { eventOf } from './subjects.ts';
import { putAll } from './tables.ts';

/** Lists as so many requests would have left them: copies of what one real request wrote, put in bulk. */

/** `limit` and `page` reach at most the 10,000th element: those behind stand in their lists, and no request can read them. */
const reachable = 10_000;
const first = Date.parse('2026-02-01T00:00:00.000Z');

/** One a second, so that each has a time of its own. */
export function timeOf(index: number): string {
  return new Date(first + index * 1_000).toISOString();
}

export interface Seeding {
  client: DynamoDBClient;
  tableName: string;
  project: Project;
  /** Of each list. */
  size: number;
}

/** Fills the ledger of a card with its holder's activities, the promotion tiers, and the rewards of a programme. */
export async function seedLists(seeding: Seeding): Promise<void> {
  await seedLedger(seeding);
  await seedPromotionTiers(seeding);
  await seedRewards(seeding);
}

async function removeAll({ client, tableName }: Seeding, items: readonly Attributes[]): Promise<void> {
  const dynamodb = documentClient(client);
  for (const item of items) await dynamodb.send(new DeleteCommand({ TableName: tableName, Key: keyOf(item) }));
}

const event = {
  event: 'purchase_made',
  customer: { source_id: 'crm-101' },
  loyalty: { code: 'CREW-INGRID' },
  metadata: { amount: 24_900, receipt: 'B-1207' },
};

/** The ledger's entries are its holder's activities as well. */
async function seedLedger(seeding: Seeding): Promise<void> {
  const { client, tableName, project, size } = seeding;
  const dynamodb = documentClient(client);
  const table = new Table(dynamodb, tableName, new Date());
  const send = sendEvent.with(recordingDependencies(tableName, dynamodb));
  const sent = await send(
    eventOf('send-event', { request: () => ({ body: event }) }, 0, { project, tokens: [] }),
    lambdaContext,
  );
  if (sent.statusCode !== 200) throw new Error(`the event was answered with ${sent.statusCode}`);
  const id = voucherId(project, 'CREW-INGRID');
  const card = keys.voucher(project.id, id);
  const entries = await table.query({ index: 'by-sequence', partition: card.pk });
  const [entry] = entries;
  if (!entry) throw new Error('the event left no entry in the ledger');
  function* copies() {
    for (let index = 0; index < size; index++) {
      const createdAt = timeOf(index);
      const entryId = newTimedId('voucher_transaction', new Date(createdAt));
      const place = activityAt({ createdAt, id: activityIdOf({ id: entryId }) });
      const copy = { ...entry, id: entryId, sequence: index + 1, created_at: createdAt, activityAt: place };
      yield { ...copy, ...keys.ledgerEntry(project.id, id, entryId) };
    }
  }
  await putAll(seeding.client, seeding.tableName, copies());
  await removeAll(seeding, entries);
  await dynamodb.send(
    new UpdateCommand({
      TableName: tableName,
      Key: card,
      UpdateExpression: 'SET ledger_entries = :size, activities = :size',
      ExpressionAttributeValues: { ':size': size },
    }),
  );
}

interface Counted {
  /** An element that is there: the others are like it. */
  template: Key;
  keyOf: (id: string) => Key;
  /** What makes the element in this place another one. */
  own: (index: number) => Attributes & { id: string };
  listing: Listing;
  /** Those of its lists that are filled. */
  lists: readonly string[];
  /** Whether pages begin at the end. */
  descending: boolean;
}

async function seedCounted(seeding: Seeding, counted: Counted): Promise<void> {
  const { client, tableName, size } = seeding;
  const table = new Table(documentClient(client), tableName, new Date());
  const [template] = await table.getMany([counted.template]);
  if (!template) throw new Error(`nothing has the key ${counted.template.pk}`);
  function* elements() {
    const from = counted.descending ? Math.max(0, size - reachable) : 0;
    for (let index = from; index < Math.min(size, from + reachable); index++) {
      const own = counted.own(index);
      yield { ...template, ...own, ...counted.keyOf(own.id) };
    }
  }
  await putAll(seeding.client, seeding.tableName, elements());
  for (const list of counted.lists) {
    await removeAll(seeding, await table.query({ partition: list }));
    const places = Array.from({ length: size }, (_, index) => {
      const own = counted.own(index);
      const place = counted.listing.placesOf({ ...template, ...own }).find((one) => one.list === list);
      if (!place) throw new Error(`${own.id} has no place in ${list}`);
      return { at: place.at, id: own.id };
    });
    await putAll(seeding.client, seeding.tableName, itemsOf(list, places));
  }
}

function* itemsOf(list: string, places: readonly { at: string; id: string }[]) {
  for (const { key, item } of listItems(list, places)) yield { ...item, ...key };
}

/** By rank; the other orders are lists of the same kind. */
function seedPromotionTiers(seeding: Seeding): Promise<void> {
  const { id } = seeding.project;
  return seedCounted(seeding, {
    template: keys.promotionTier(id, 'promo_two_bags'),
    keyOf: (tierId) => keys.promotionTier(id, tierId),
    own: (index) => ({ id: `promo_${index}`, hierarchy: index }),
    listing: promotionTierListing(id),
    lists: [
      orderedLists.promotionTiers(id, 'hierarchy'),
      orderedLists.campaignPromotionTiers(id, 'camp_beans', 'hierarchy'),
    ],
    descending: false,
  });
}

function seedRewards(seeding: Seeding): Promise<void> {
  const { id } = seeding.project;
  return seedCounted(seeding, {
    template: keys.rewardAssignment(id, 'camp_crew', 'rewa_beans'),
    keyOf: (assignmentId) => keys.rewardAssignment(id, 'camp_crew', assignmentId),
    own: (index) => ({ id: `rewa_${index}`, created_at: timeOf(index) }),
    listing: rewardAssignmentListing(id),
    lists: [orderedLists.rewardAssignments(id, 'camp_crew')],
    descending: true,
  });
}

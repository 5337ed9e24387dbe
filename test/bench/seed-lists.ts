import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { placeTier, promotionTierItem, promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import { placeCustomer } from '#engine/customers/change-customer.ts';
import { customerSources, customers } from '#engine/customers/customer.ts';
import { placeActivities } from '#engine/ledger/activities/record-activities.ts';
import { placeVoucher, voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import { deriveActivities, deriveActivityId } from '#engine/ledger/entry-activities.ts';
import { type LedgerEntry, ledgerEntryItem, ledgerEntryKey } from '#engine/ledger/ledger-entry.ts';
import { campaignLedger } from '#engine/ledger/record-entry.ts';
import { placeRewardAssignment, rewardAssignments } from '#engine/loyalty/reward.ts';
import { type VoucherItem, voucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { newNumberedId } from '#kernel/core/ids.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { type Key, stripKey } from '#kernel/table/keys.ts';
import { placeInList } from '#kernel/table/listing.ts';
import { Table } from '#kernel/table/table.ts';
import { findOperation } from '../../infra/operations.ts';
import { lambdaContext, recordingDependencies } from './compare.ts';
import type { Put } from './export-items.ts';
import { eventOf } from './subjects.ts';

/** Fills lists as if requests had made them: copies of what one real request wrote, put in bulk. */

const first = Date.parse('2026-02-01T00:00:00.000Z');

/** Elements are a second apart, so each has its own time. */
export function timeOf(index: number): string {
  return new Date(first + index * 1_000).toISOString();
}

export interface Seeding {
  client: DynamoDBClient;
  tableName: string;
  project: Project;
  /** The length of each list. */
  size: number;
  /** Stores an element. The originals are in the table. */
  put: Put;
}

/** Fills one list. */
type Seed = (seeding: Seeding) => Promise<void>;

const event = {
  event: 'purchase_made',
  customer: { source_id: 'crm-101' },
  loyalty: { code: 'CREW-INGRID' },
  metadata: { amount: 24_900, receipt: 'B-1207' },
};

/** The ledger's entries are also activities of the holder. */
async function seedLedger(seeding: Seeding): Promise<void> {
  const { client, tableName, project, size } = seeding;
  const dynamodb = createDocumentClient(client);
  const table = new Table(dynamodb, tableName, new Date());
  const { handler } = findOperation('send-event');
  const send = handler.with(recordingDependencies(tableName, dynamodb));
  const sent = await send(
    eventOf(findOperation('send-event'), { request: () => ({ body: event }) }, 0, { project, tokens: [] }),
    lambdaContext,
  );
  if (sent.statusCode !== 200) throw new Error(`the event was answered with ${sent.statusCode}`);
  const id = voucherId(project, 'CREW-INGRID');
  const card = vouchers(project.id, id);
  const entry = await table.get(ledgerEntryKey(project.id, id, 1), ledgerEntryItem);
  const holder = (await table.get(vouchers(project.id, id), voucherItem))?.holder_id;
  if (!entry || !holder) throw new Error('the event left no entry in the ledger');
  function* copies(entry: LedgerEntry, holder: string) {
    for (let index = 0; index < size; index++) {
      const createdAt = timeOf(index);
      const entryId = newNumberedId('voucher_transaction', new Date(createdAt), index + 1);
      const copy = { ...entry, id: entryId, sequence: index + 1, created_at: createdAt };
      const [first, ...others] = deriveActivities(copy);
      if (!first) throw new Error('the entry is not an activity');
      const { listed: asActivities, ...places } = placeActivities(project.id, holder, deriveActivityId(copy), [
        first,
        ...others,
      ]);
      const inCampaign = placeInList(campaignLedger, [project.id, String(copy.campaign_id)], [entryId]);
      const listed = { id: entryId, voucher_id: id, ...asActivities };
      yield { ...copy, ...inCampaign, ...places, listed, ...stripKey(ledgerEntryKey(project.id, id, index + 1)) };
    }
  }
  await seeding.put(copies(entry, holder), { counted: false });
  await dynamodb.send(
    new UpdateCommand({
      TableName: tableName,
      Key: stripKey(card),
      UpdateExpression: 'SET ledger_entries = :size, activities = :size',
      ExpressionAttributeValues: { ':size': size },
    }),
  );
}

interface Listed {
  /** An existing element. The others are its copies. */
  template: Key;
  /** Returns the element at this position, with its key and its lists. */
  element: (template: Attributes, index: number) => Attributes;
  /** The claim that leads to it. */
  claim?: (index: number) => Attributes;
}

async function seedListed(
  { client, tableName, size, put }: Seeding,
  { template, element, claim }: Listed,
): Promise<void> {
  const table = new Table(createDocumentClient(client), tableName, new Date());
  const [like] = await table.getMany([template]);
  if (!like) throw new Error(`nothing has the key ${template.pk}`);
  const all = function* () {
    for (let index = 0; index < size; index++) {
      yield element(like, index);
      if (claim) yield claim(index);
    }
  };
  await put(all(), { counted: true });
}

/** The list is ordered by rank. The other orders are lists of the same kind. */
function seedPromotionTiers(seeding: Seeding): Promise<void> {
  const { id } = seeding.project;
  return seedListed(seeding, {
    template: promotionTiers(id, 'promo_two_bags'),
    element: (template, index) => {
      const tier = parseStored(promotionTierItem, { ...template, id: `promo_${index}`, hierarchy: index });
      return { ...tier, ...placeTier(id, tier), ...stripKey(promotionTiers(id, tier.id)) };
    },
  });
}

function seedRewards(seeding: Seeding): Promise<void> {
  const { id } = seeding.project;
  return seedListed(seeding, {
    template: rewardAssignments(id, 'rewa_beans'),
    element: (template, index) => {
      const own = { id: `rewa_${index}`, related_object_id: 'camp_crew', created_at: timeOf(index) };
      return { ...template, ...own, ...placeRewardAssignment(id, own), ...stripKey(rewardAssignments(id, own.id)) };
    },
  });
}

/** It differs from the source ids of the demo's customers, whose lists are also measured. */
export const sourceIdOf = (index: number) => `listed-${index}`;

/** One customer of a hundred lives in Bergen, and one of ten likes a dark roast. */
function seedCustomers(seeding: Seeding): Promise<void> {
  const { id } = seeding.project;
  return seedListed(seeding, {
    template: customers(id, 'cust_oluf'),
    element: (template, index) => {
      const own = {
        id: `cust_${index}`,
        source_id: sourceIdOf(index),
        created_at: timeOf(index),
        email: `${index}@post.example`,
        metadata: { roast: index % 10 === 0 ? 'dark' : 'light' },
      };
      const city = index % 100 === 0 ? 'Bergen' : 'Oslo';
      const item = { ...own, address: { city } };
      return { ...template, ...item, ...placeCustomer(id, item), ...stripKey(customers(id, item.id)) };
    },
    claim: (index) => ({ ...stripKey(customerSources(id, sourceIdOf(index))), customer_id: `cust_${index}` }),
  });
}

/** All vouchers belong to one campaign. */
function seedVouchers(seeding: Seeding): Promise<void> {
  const { project } = seeding;
  let like: VoucherItem | undefined;
  return seedListed(seeding, {
    template: vouchers(project.id, voucherId(project, 'TIDE-HELLO')),
    element: (template, index) => {
      const code = `LIST-${index}`;
      const own = { id: voucherId(project, code), code, created_at: timeOf(index) };
      like ??= parseStored(voucherItem, template);
      const places = placeVoucher(project.id, { ...like, ...own });
      return { ...template, ...own, ...places, ...stripKey(vouchers(project.id, own.id)) };
    },
  });
}

/** The seed of the list that an operation shows. */
const seeds: Readonly<Record<string, Seed>> = {
  'get-customer': seedCustomers,
  'list-campaign-promotion-tiers': seedPromotionTiers,
  'list-customer-activities': seedLedger,
  'list-customers': seedCustomers,
  'list-member-transactions': seedLedger,
  'list-promotion-tiers': seedPromotionTiers,
  'list-reward-assignments': seedRewards,
  'list-rewards': seedRewards,
  'list-voucher-transactions': seedLedger,
  'list-vouchers': seedVouchers,
};

/** Fills the lists that these operations show. */
export async function seedListsOf(operations: readonly string[], seeding: Seeding): Promise<void> {
  for (const seed of new Set(operations.map((name) => seeds[name]))) await seed?.(seeding);
}

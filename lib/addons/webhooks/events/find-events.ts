import { hash } from 'node:crypto';
import { asciiJson } from '#kernel/core/ascii-json.ts';
import { type MarkedRequest, markedKinds, readMark, requestMark } from '#kernel/http/request-mark.ts';
import { type Key, keyText, readKinds, stripKey, tableShape } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { isOfCopy, leaveOutFences, type RecordPattern, recordKey, type StreamRecord } from '#kernel/table/stream.ts';
import { differIn, type Image, isBuried, readSwitch } from './images.ts';
import type { PublicEventType } from './types.ts';

/** Finds events in records of the stream. It uses names of kinds alone, because the stream's worker has no schemas. */

interface Change {
  readonly name: StreamRecord['eventName'];
  readonly before: Image;
  readonly after: Image;
  /** The kind of the item that owns the partition. */
  readonly owner: string;
}

/** Returns the types of a resource's change. `definition` names the fields that operators change, if others move by themselves. */
function ofResource(
  prefix: string,
  { name, before, after }: Change,
  { created = 'created', definition = ['updated_at'] }: { created?: string; definition?: readonly string[] } = {},
): string[] {
  if (name === 'INSERT') return [`${prefix}.${created}`];
  if (isBuried(before)) return [];
  if (name === 'REMOVE' || isBuried(after)) return [`${prefix}.deleted`];
  const switched = readSwitch(before, after);
  if (switched) return [`${prefix}.${switched}`];
  return differIn(before, after, definition) ? [`${prefix}.updated`] : [];
}

/** The fields of a voucher that redemptions and publications leave alone. */
const voucherDefinition = [
  ...['category_id', 'discount', 'additional_info', 'metadata', 'redemption_quantity', 'validation_rules_assignments'],
  ...['start_date', 'validity_timeframe', 'validity_day_of_week', 'validity_hours'],
];

function ofVoucher(change: Change): string[] {
  // Generated codes have an origin. Their generation has events of its own.
  const isGenerated = change.name === 'INSERT' && change.after.origin !== undefined;
  return isGenerated ? [] : ofResource('voucher', change, { definition: voucherDefinition });
}

/** The fields of a loyalty tier. Only project files change tiers, and a load keeps the time of the last update. */
const tierDefinition = ['name', 'config', 'points', 'earning_rules', 'rewards', 'metadata'];

/** The terms of a referral programme are its one tier, and part of its campaign. */
function ofCampaign(change: Change): string[] {
  const { name, before, after } = change;
  const prefix = 'campaign.referral_tier';
  const had = name !== 'INSERT' && !isBuried(before) && before.referral_program !== undefined;
  const has = name !== 'REMOVE' && !isBuried(after) && after.referral_program !== undefined;
  const isChanged = had && has && differIn(before, after, ['referral_program']);
  return [
    ...ofResource('campaign', change),
    ...(has && !had ? [`${prefix}.created`] : []),
    ...(isChanged ? [`${prefix}.updated`] : []),
    ...(had && !has ? [`${prefix}.deleted`] : []),
  ];
}

function ofRedemption({ name, after }: Change): string[] {
  // A parent has children, and each of them has its own event.
  if (name !== 'INSERT' || after.related_object_type?.S === 'redemption') return [];
  const end = after.result?.S === 'SUCCESS' ? 'succeeded' : 'failed';
  if (after.object?.S === 'redemption_rollback') return [`redemption.rollback.${end}`];
  const mayUseUp = end === 'succeeded' && after.related_object_type?.S === 'voucher';
  return [`redemption.${end}`, ...(mayUseUp ? ['voucher.used_up'] : [])];
}

function ofPublication({ name, after }: Change): string[] {
  return name === 'INSERT' && after.result?.S === 'SUCCESS' ? ['publication.succeeded', 'voucher.published'] : [];
}

const additions: readonly string[] = [
  ...['CREDITS_ADDITION', 'CREDITS_REMOVAL'],
  ...['POINTS_ADDITION', 'POINTS_REMOVAL', 'POINTS_ACCRUAL', 'PENDING_POINTS_ACTIVATION'],
];

function ofEntry({ name, after }: Change): string[] {
  if (name !== 'INSERT') return [];
  const type = after.type?.S ?? '';
  const isGift = type.startsWith('CREDITS_');
  const card = isGift ? 'voucher.gift' : 'voucher.loyalty_card';
  return [
    `${card}.transaction.created`,
    ...(additions.includes(type) ? [isGift ? 'voucher.gift.balance_added' : 'voucher.loyalty_card.points_added'] : []),
    ...(type === 'POINTS_EXPIRATION' ? ['voucher.loyalty_card.points_expired'] : []),
  ];
}

function ofPendingPoints({ name, before, after }: Change): string[] {
  const prefix = 'voucher.loyalty_card.pending_points';
  if (name === 'INSERT') return after.state?.S === 'PENDING' ? [`${prefix}.added`] : [];
  if (name === 'REMOVE') return [];
  if (before.state?.S !== after.state?.S) return [`${prefix}.${String(after.state?.S).toLowerCase()}`];
  return differIn(before, after, ['points']) ? [`${prefix}.updated`] : [];
}

function readMovedPoints({ name, before, after }: Change, kind: string): Pick<FoundEvent, 'change'> {
  if (kind !== kinds.pendingPoints || name !== 'MODIFY' || before.state?.S !== after.state?.S) return {};
  return { change: Number(after.points?.N) - Number(before.points?.N) };
}

/** A generation of codes. One that does not belong to the campaign's creation adds vouchers. */
function ofJob({ name, before, after }: Change): string[] {
  if (after.kind?.S !== 'generate-codes') return [];
  const prefix = 'campaign.vouchers.generation';
  if (name === 'INSERT') return [`${prefix}.started`];
  if (before.state?.S === after.state?.S) return [];
  if (after.state?.S === 'FAILED') return [`${prefix}.failed`];
  if (after.state?.S !== 'DONE') return [];
  return [`${prefix}.completed`, ...(after.is_creation?.BOOL ? [] : ['campaign.vouchers.added'])];
}

/** A customer's own activities tell of its creation and changes. */
function ofCustomer({ before, after, name }: Change): string[] {
  if (name === 'INSERT' || isBuried(before)) return [];
  return name === 'REMOVE' || isBuried(after) ? ['customer.deleted'] : [];
}

const rulePrefix = 'business_validation_rule';

const readers: Readonly<Record<string, (change: Change) => string[]>> = {
  VALIDATION_RULES: (change) => ofResource(rulePrefix, change),
  [kinds.validationRulesAssignment]: (change) => ofResource(`${rulePrefix}.assignment`, change, { definition: [] }),
  [kinds.campaign]: ofCampaign,
  [kinds.job]: ofJob,
  [kinds.promotionTier]: (change) => ofResource('campaign.promotion_tier', change),
  PROMOTION_STACK: (change) =>
    ofResource('campaign.promotion_stack', change).filter((type) => !type.endsWith('.deleted')),
  [kinds.loyaltyTier]: (change) => ofResource('campaign.loyalty_tier', change, { definition: tierDefinition }),
  [kinds.earningRule]: (change) => ofResource('campaign.earning_rule', change, { created: 'assigned' }),
  [kinds.rewardAssignment]: (change) => ofResource('campaign.reward.assignment', change),
  [kinds.customer]: ofCustomer,
  [kinds.publication]: ofPublication,
  [kinds.redemption]: ofRedemption,
  [kinds.voucher]: ofVoucher,
  [kinds.ledger]: ofEntry,
  [kinds.pendingPoints]: ofPendingPoints,
} satisfies Readonly<Record<string, (change: Change) => string[]>>;

/** Maps a type to the activity that reports the same event under another name. */
export const rewardedBy: Readonly<Record<string, string>> = {
  'customer.rewarded': 'customer.reward_redemptions.created',
};

/** Returns the activities that an item holds. They are listed with it. */
function activitiesOf({ name, after }: Change): string[] {
  if (name !== 'INSERT') return [];
  const types = (after.listed?.M?.activities?.L ?? []).flatMap(({ M }) => M?.type?.S ?? []);
  // The public interface has an event for what a list of activities shows as the creation of a reward's redemption.
  return types.flatMap((type) => (type === rewardedBy['customer.rewarded'] ? [type, 'customer.rewarded'] : [type]));
}

/** An event, as the queue carries it. */
export interface FoundEvent {
  readonly key: Key;
  readonly id: string;
  readonly type: PublicEventType | (string & {});
  readonly at: string;
  /** The group of events that one write brought about: the id of its request, unless the item has a field for it. */
  readonly group?: string;
  /** The points that a change of pending points added. */
  readonly change?: number;
  /** The item as the record has it, in the form of the table, unless it is too large for a message. */
  readonly image?: Image;
}

/** SQS takes ten messages of 256 KB together, and messages are written in ASCII. */
const maxImageBytes = 24_000;

/** Returns the request of the write. The table's copy of a mark from an earlier write does not count. */
function requestOf({ dynamodb = {} }: StreamRecord, kind: string) {
  const mark = dynamodb.NewImage?.[requestMark]?.S;
  // Jobs go on without a request, and still tell of the request that has started them.
  const isOwn = kind === kinds.job || mark !== dynamodb.OldImage?.[requestMark]?.S;
  return isOwn ? readMark(mark) : undefined;
}

/** Returns the time of a write. Records have whole seconds, so the time that the writer stored goes first. */
function timeOf({ name, before, after }: Change, request: MarkedRequest | undefined, record: StreamRecord): string {
  const own = after.created_at?.S ?? after.date?.S;
  const updated = after.updated_at?.S === before.updated_at?.S ? undefined : after.updated_at?.S;
  const ofRecord = new Date((record.dynamodb?.ApproximateCreationDateTime ?? 0) * 1_000).toISOString();
  return request?.at || ((name === 'INSERT' ? own : updated) ?? ofRecord);
}

/** `raw` is the record as the table sent it, with the tombstone that a removal leaves. */
function eventsOf(record: StreamRecord, raw: StreamRecord): FoundEvent[] {
  const { eventName: name, dynamodb = {} } = record;
  const { OldImage: before = {}, NewImage: after = {}, SequenceNumber = '' } = dynamodb;
  if (isOfCopy(record)) return [];
  const key = stripKey(recordKey(record));
  const { kind, owner } = readKinds(key);
  const change = { name, before, after, owner };
  const types = new Set([...(readers[kind]?.(change) ?? []), ...activitiesOf(change)]);
  const held = name === 'REMOVE' || isBuried(after) ? before : after;
  const image = asciiJson(held).length <= maxImageBytes ? { image: held } : {};
  const request = requestOf(raw, kind);
  const at = timeOf(change, request, record);
  const hashOf = (text: string) => hash('sha256', `${SequenceNumber} ${keyText(key)} ${text}`, 'base64url');
  const group = markedKinds.has(kind) ? { group: request?.id ?? `grp_${hashOf('group')}` } : {};
  const moved = readMovedPoints(change, kind);
  return [...types].map((type) => ({ key, id: `ev_${hashOf(type)}`, type, at, ...group, ...moved, ...image }));
}

/** Returns the events of records. A record that comes again has the same events with the same ids. */
export function findEvents(records: readonly StreamRecord[]): FoundEvent[] {
  return records.flatMap((raw) => leaveOutFences([raw]).flatMap((record) => eventsOf(record, raw)));
}

const { sortKey } = tableShape;
const keysOf = (...rules: readonly (string | { prefix: string })[]) => ({ Keys: { [sortKey]: { S: rules } } });
const children = ['VALIDATION_RULES', kinds.validationRulesAssignment, 'PROMOTION_STACK', kinds.loyaltyTier]
  .concat(kinds.earningRule, kinds.pendingPoints)
  .map((kind) => ({ prefix: `${kind}#` }));

/** Passes records that may tell of an event. */
export const eventFilters: readonly RecordPattern[] = [
  { dynamodb: keysOf(kinds.campaign, kinds.promotionTier, kinds.rewardAssignment, ...children) },
  { eventName: ['INSERT'], dynamodb: keysOf(kinds.redemption, kinds.publication) },
  { eventName: ['INSERT'], dynamodb: keysOf({ prefix: `${kinds.ledger}#` }, { prefix: `${kinds.activity}#` }) },
  { eventName: ['MODIFY', 'REMOVE'], dynamodb: keysOf(kinds.voucher, kinds.customer) },
  {
    eventName: ['INSERT'],
    dynamodb: { ...keysOf(kinds.voucher), NewImage: { origin: { S: [{ exists: false }] } } },
  },
  {
    eventName: ['MODIFY'],
    dynamodb: { ...keysOf(kinds.job), NewImage: { kind: { S: ['generate-codes'] }, state: { S: ['DONE', 'FAILED'] } } },
  },
];

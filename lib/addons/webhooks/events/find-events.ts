import { hash } from 'node:crypto';
import { asciiJson } from '#kernel/core/ascii-json.ts';
import { defined } from '#kernel/core/defined.ts';
import { type MarkedRequest, markedKinds, readMark, requestMark } from '#kernel/http/request-mark.ts';
import { type Key, keyText, stripKey } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { consume, consumer, differIn, type ItemChange } from '#kernel/table/stream.ts';
import type { PublicEventType } from './types.ts';

/** Finds events in changes. */

type Item = NonNullable<ItemChange['after']>;

/** Returns whether the item is a tombstone. */
function isBuried(item: Item): boolean {
  return item.deleted_at !== undefined;
}

/** Returns whether the item was active before and after. An absent switch is on. */
function readSwitch(before: Item, after: Item): 'enabled' | 'disabled' | undefined {
  const [was, is] = [before.active ?? true, after.active ?? true];
  return was === is ? undefined : is ? 'enabled' : 'disabled';
}

/** Returns the types of a resource's change. `definition` names the fields that operators change, if others move by themselves. */
function ofResource(
  prefix: string,
  { before, after }: ItemChange,
  { created = 'created', definition = ['updated_at'] }: { created?: string; definition?: readonly string[] } = {},
): string[] {
  if (!before) return [`${prefix}.${created}`];
  if (isBuried(before)) return [];
  if (!after || isBuried(after)) return [`${prefix}.deleted`];
  const switched = readSwitch(before, after);
  if (switched) return [`${prefix}.${switched}`];
  return differIn({ before, after }, definition) ? [`${prefix}.updated`] : [];
}

/** The fields of a voucher that redemptions and publications leave alone. */
const voucherDefinition = [
  ...['category_id', 'discount', 'additional_info', 'metadata', 'redemption_quantity', 'validation_rules_assignments'],
  ...['start_date', 'validity_timeframe', 'validity_day_of_week', 'validity_hours'],
];

function ofVoucher(change: ItemChange): string[] {
  // Generated codes have an origin. Their generation has separate events.
  const isGenerated = !change.before && change.after?.origin !== undefined;
  return isGenerated ? [] : ofResource('voucher', change, { definition: voucherDefinition });
}

/** The fields of a loyalty tier. Only project files change tiers, and a load keeps the time of the last update. */
const tierDefinition = ['name', 'config', 'points', 'earning_rules', 'rewards', 'metadata'];

/** The terms of a referral programme are its one tier, and part of its campaign. */
function ofCampaign(change: ItemChange): string[] {
  const { before, after } = change;
  const prefix = 'campaign.referral_tier';
  const had = before && !isBuried(before) && before.referral_program !== undefined;
  const has = after && !isBuried(after) && after.referral_program !== undefined;
  const isChanged = had && has && differIn({ before, after }, ['referral_program']);
  return [
    ...ofResource('campaign', change),
    ...(has && !had ? [`${prefix}.created`] : []),
    ...(isChanged ? [`${prefix}.updated`] : []),
    ...(had && !has ? [`${prefix}.deleted`] : []),
  ];
}

function ofRedemption({ before, after }: ItemChange<'REDEMPTION'>): string[] {
  // A parent has children, and each of them has its own event.
  if (before || after?.related_object_type === 'redemption') return [];
  const end = after?.result === 'SUCCESS' ? 'succeeded' : 'failed';
  if (after?.object === 'redemption_rollback') return [`redemption.rollback.${end}`];
  const mayUseUp = end === 'succeeded' && after?.related_object_type === 'voucher';
  return [`redemption.${end}`, ...(mayUseUp ? ['voucher.used_up'] : [])];
}

function ofPublication({ before, after }: ItemChange<'PUBLICATION'>): string[] {
  return !before && after?.result === 'SUCCESS' ? ['publication.succeeded', 'voucher.published'] : [];
}

const additions: readonly string[] = [
  ...['CREDITS_ADDITION', 'CREDITS_REMOVAL'],
  ...['POINTS_ADDITION', 'POINTS_REMOVAL', 'POINTS_ACCRUAL', 'PENDING_POINTS_ACTIVATION'],
];

function ofEntry({ before, after }: ItemChange<'LEDGER'>): string[] {
  if (before) return [];
  const type = after?.type ?? '';
  const isGift = type.startsWith('CREDITS_');
  const card = isGift ? 'voucher.gift' : 'voucher.loyalty_card';
  return [
    `${card}.transaction.created`,
    ...(additions.includes(type) ? [isGift ? 'voucher.gift.balance_added' : 'voucher.loyalty_card.points_added'] : []),
    ...(type === 'POINTS_EXPIRATION' ? ['voucher.loyalty_card.points_expired'] : []),
  ];
}

function ofPendingPoints({ before, after }: ItemChange<'PENDING_POINTS'>): string[] {
  const prefix = 'voucher.loyalty_card.pending_points';
  if (!before) return after?.state === 'PENDING' ? [`${prefix}.added`] : [];
  if (!after) return [];
  if (before.state !== after.state) return [`${prefix}.${String(after.state).toLowerCase()}`];
  return differIn({ before, after }, ['points']) ? [`${prefix}.updated`] : [];
}

function readMovedPoints({ before, after }: ItemChange<'PENDING_POINTS'>): number | undefined {
  if (!before || !after || before.state !== after.state) return undefined;
  return Number(after.points) - Number(before.points);
}

/** A generation of codes. One that does not belong to the campaign's creation adds vouchers. */
function ofJob({ before, after }: ItemChange<'JOB'>): string[] {
  if (after?.kind !== 'generate-codes') return [];
  const prefix = 'campaign.vouchers.generation';
  if (!before) return [`${prefix}.started`];
  if (before.state === after.state) return [];
  if (after.state === 'FAILED') return [`${prefix}.failed`];
  if (after.state !== 'DONE') return [];
  return [`${prefix}.completed`, ...(after.is_creation ? [] : ['campaign.vouchers.added'])];
}

/** A customer's own activities tell of its creation and changes. */
function ofCustomer({ before, after }: ItemChange): string[] {
  if (!before || isBuried(before)) return [];
  return !after || isBuried(after) ? ['customer.deleted'] : [];
}

/** Maps a type to the activity that reports the same event under another name. */
export const rewardedBy: Readonly<Record<string, string>> = {
  'customer.rewarded': 'customer.reward_redemptions.created',
};

/** Returns the activities that an item holds. They are listed with it. */
function activitiesOf({ before, after }: ItemChange): string[] {
  if (before) return [];
  const types = (after?.listed?.activities ?? []).flatMap(({ type }) => type ?? []);
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
  readonly image?: NonNullable<ItemChange['packed']['after']>;
}

/** SQS accepts ten messages of 256 KB together, and messages are written in ASCII. */
const maxImageBytes = 24_000;

/** Returns the mark of a write. A removed item's tombstone has it. */
function markOf(item: Item | undefined): string | undefined {
  const mark = item?.[requestMark];
  return typeof mark === 'string' ? mark : undefined;
}

/** Returns the request of the write. The table's copy of a mark from an earlier write does not count. */
function requestOf({ kind, stored: { before, after } }: ItemChange) {
  const mark = markOf(after);
  // Jobs go on without a request, and still tell of the request that has started them.
  const isOwn = kind === kinds.job || mark !== markOf(before);
  return isOwn ? readMark(mark) : undefined;
}

/** Returns the time of a write. Records have whole seconds, so the time that the writer stored has precedence. */
function timeOf({ before, after, at }: ItemChange, request: MarkedRequest | undefined): string {
  const own = after?.created_at ?? after?.date;
  const updated = after?.updated_at === before?.updated_at ? undefined : after?.updated_at;
  return request?.at || ((before ? updated : own) ?? at.toISOString());
}

/** Returns an event for each of these types, and for each activity that the change stores. */
function eventsOf(change: ItemChange, told: readonly string[], moved?: number): FoundEvent[] {
  const { kind, after, packed, sequence, isCopy } = change;
  const types = isCopy ? [] : [...new Set([...told, ...activitiesOf(change)])];
  if (types.length === 0) return [];
  const key = stripKey(change.key);
  const held = after && !isBuried(after) ? packed.after : packed.before;
  const image = asciiJson(held ?? {}).length <= maxImageBytes ? (held ?? {}) : undefined;
  const request = requestOf(change);
  const hashOf = (text: string) => hash('sha256', `${sequence} ${keyText(key)} ${text}`, 'base64url');
  const group = markedKinds.has(kind) ? (request?.id ?? `grp_${hashOf('group')}`) : undefined;
  const common = { at: timeOf(change, request), ...defined({ group, change: moved, image }) };
  return types.map((type) => ({ key, id: `ev_${hashOf(type)}`, type, ...common }));
}

const rulePrefix = 'business_validation_rule';

/** Derives events. A change that comes again has the same events with the same ids. */
export const eventsConsumer = consumer<FoundEvent>('events', {
  [kinds.validationRules]: (change) => eventsOf(change, ofResource(rulePrefix, change)),
  [kinds.validationRulesAssignment]: (change) =>
    eventsOf(change, ofResource(`${rulePrefix}.assignment`, change, { definition: [] })),
  [kinds.campaign]: (change) => eventsOf(change, ofCampaign(change)),
  [kinds.job]: (change) => eventsOf(change, ofJob(change)),
  [kinds.promotionTier]: (change) => eventsOf(change, ofResource('campaign.promotion_tier', change)),
  PROMOTION_STACK: (change) => {
    const types = ofResource('campaign.promotion_stack', change);
    return eventsOf(
      change,
      types.filter((type) => !type.endsWith('.deleted')),
    );
  },
  [kinds.loyaltyTier]: (change) =>
    eventsOf(change, ofResource('campaign.loyalty_tier', change, { definition: tierDefinition })),
  [kinds.earningRule]: (change) =>
    eventsOf(change, ofResource('campaign.earning_rule', change, { created: 'assigned' })),
  [kinds.rewardAssignment]: (change) => eventsOf(change, ofResource('campaign.reward.assignment', change)),
  [kinds.customer]: (change) => eventsOf(change, ofCustomer(change)),
  [kinds.publication]: (change) => eventsOf(change, ofPublication(change)),
  [kinds.orderReturn]: (change) => eventsOf(change, change.before ? [] : ['order.returned']),
  [kinds.redemption]: (change) => eventsOf(change, ofRedemption(change)),
  [kinds.voucher]: (change) => eventsOf(change, ofVoucher(change)),
  [kinds.ledger]: (change) => eventsOf(change, ofEntry(change)),
  [kinds.pendingPoints]: (change) => eventsOf(change, ofPendingPoints(change), readMovedPoints(change)),
  [kinds.activity]: (change) => eventsOf(change, []),
});

/** Returns the events of changes. */
export function findEvents(changes: readonly ItemChange[]): FoundEvent[] {
  return consume(eventsConsumer, changes);
}

import * as v from 'valibot';
import { campaigns } from '#engine/campaigns/campaign.ts';
import { codesJobItem } from '#engine/campaigns/generation/job.ts';
import { loyaltyTierItem, presentLoyaltyTier } from '#engine/campaigns/programme.ts';
import { readSurroundings } from '#engine/campaigns/promotions/find-tiers.ts';
import { presentPromotionTier } from '#engine/campaigns/promotions/present-tier.ts';
import { promotionStack, promotionTierItem } from '#engine/campaigns/promotions/promotion-tier.ts';
import { showStack } from '#engine/campaigns/stacks/show-stacks.ts';
import { order, toOrder } from '#engine/checkout/orders/resource.ts';
import { orderReturn } from '#engine/checkout/returns/resource.ts';
import { customers } from '#engine/customers/customer.ts';
import { presentCustomer } from '#engine/customers/present-customer.ts';
import { type EventSource, keptSource, showSource } from '#engine/ledger/activities/activity.ts';
import { earningRuleItem } from '#engine/loyalty/earning/earning-rule.ts';
import { presentEarningRule } from '#engine/loyalty/earning/public-rule.ts';
import { presentReward, presentRewardAssignment, rewardAssignmentItem, rewards } from '#engine/loyalty/reward.ts';
import { showPublication } from '#engine/publishing/present-publication.ts';
import { assignmentItem } from '#engine/rules/assignment.ts';
import { validationRule } from '#engine/rules/resource.ts';
import { countAndShowRule } from '#engine/vouchers/assignments/show-rule.ts';
import { publicationItem } from '#engine/vouchers/publication.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { text } from '#kernel/core/schema.ts';
import type { Showing } from '#kernel/http/context.ts';
import { presentResource } from '#kernel/kit/resource/shape.ts';
import { unpackItem } from '#kernel/table/image.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { readKinds } from '#kernel/table/keys.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { read } from '#kernel/table/read.ts';
import type { FoundEvent } from '../events/find-events.ts';
import { buildActivityPayload } from './activity-payload.ts';
import { buildEntryPayload, buildRedemptionPayload } from './money-payloads.ts';
import { showBriefCampaign, showVoucherOf } from './objects.ts';
import { buildPendingPayload } from './pending-payload.ts';
import { subjectOf } from './subject.ts';

/** Builds the payloads of events, by the kind of item that reports them (`lib/addons/webhooks/events/types.ts`). */

type Payload = Readonly<Record<string, unknown>>;

type Builder = (context: Showing, item: Attributes, type: string, event: FoundEvent) => Promise<Payload>;

const dateOf = (type: string) => `${type.slice(type.lastIndexOf('.') + 1)}_at`;

/** Adds the time of a creation, change or deletion. */
function dated(context: Showing, type: string): Payload {
  return /\.(?:created|updated|deleted)$/.test(type) ? { [dateOf(type)]: context.now.toISOString() } : {};
}

const buildRule: Builder = async (context, item, type) => ({
  rule: await countAndShowRule(context, parseStored(validationRule.stored, item)),
  ...dated(context, type),
});

const buildAssignment: Builder = async (context, item, type) => {
  const assignment = parseStored(assignmentItem, item);
  const { table, project } = context;
  const { rule } = await read(table, { rule: validationRule.few(project.id, assignment.rule_id) });
  return {
    ...(rule ? { rule: await countAndShowRule(context, rule) } : {}),
    assignment,
    ...dated(context, type),
  };
};

const buildCampaign: Builder = async (context, item, type) => {
  const campaign = parseStored(campaigns.schema, item);
  const terms = { campaign_id: campaign.id, ...campaign.referral_program, object: 'referral_tier' };
  return {
    campaign: showBriefCampaign(campaign),
    ...(type.startsWith('campaign.referral_tier.') ? { referral_tier: terms } : {}),
    ...dated(context, type),
  };
};

async function campaignOf({ table, project }: Showing, id: string | null | undefined): Promise<Payload> {
  const { found } = await read(table, { found: id ? campaigns(project.id, id) : undefined });
  return found ? { campaign: showBriefCampaign(found) } : {};
}

const buildGeneration: Builder = async (context, item, type) => {
  const { about, steps } = parseStored(codesJobItem, item);
  return {
    ...(await campaignOf(context, about)),
    count: steps,
    ...(type.endsWith('.started') ? {} : { completed_at: context.now.toISOString() }),
  };
};

const buildTier: Builder = async (context, item) => {
  const tier = parseStored(promotionTierItem, item);
  const campaign = await campaignOf(context, tier.campaign_id);
  const around = await readSurroundings(context, [tier]);
  const isWhole = around.campaigns.has(tier.campaign_id);
  const shown = isWhole
    ? presentPromotionTier(tier, around)
    : { id: tier.id, name: tier.name, object: 'promotion_tier' };
  return { ...campaign, promotion_tier: shown };
};

const buildStack: Builder = async (context, item) => {
  const stack = parseStored(promotionStack.stored, item);
  return { ...(await campaignOf(context, stack.campaign_id)), promotion_stack: await showStack(context, stack) };
};

const buildLoyaltyTier: Builder = async (context, item) => {
  const tier = parseStored(loyaltyTierItem, item);
  return { ...(await campaignOf(context, tier.campaign_id)), loyalty_tier: presentLoyaltyTier(tier) };
};

const buildEarningRule: Builder = async (context, item) => {
  const rule = parseStored(earningRuleItem, item);
  return { ...(await campaignOf(context, rule.campaign_id)), earning_rule: presentEarningRule(rule, undefined) };
};

const buildRewardAssignment: Builder = async (context, item) => {
  const assignment = parseStored(rewardAssignmentItem, item);
  const { found } = await read(context.table, { found: rewards(context.project.id, assignment.reward_id) });
  return {
    ...(await campaignOf(context, assignment.related_object_id)),
    ...(found ? { reward: presentReward(found) } : {}),
    reward_assignment: presentRewardAssignment(assignment),
  };
};

const buildCustomer: Builder = async (context, item) => {
  const found = parseStored(customers.schema, item);
  const nothing = { cards: [], programmes: new Map(), referringNames: new Map() };
  return { customer: presentCustomer({ item: found, ...nothing }, context) };
};

const buildPublication: Builder = async (context, item) => {
  const stored = parseStored(publicationItem, item);
  const { voucher, customer, ...publication } = await showPublication(context, stored);
  const { vouchers: codes } = stored;
  return {
    customer,
    ...(await campaignOf(context, stored.campaign_id)),
    publication,
    ...(codes.length > 1 ? { vouchers: codes } : { voucher: voucher ?? codes[0] }),
  };
};

const buildReturn: Builder = async (context, item) => {
  const stored = parseStored(orderReturn.stored, item);
  const { table, project } = context;
  const { sold } = await read(table, { sold: order.many(project.id, stored.order_id) });
  const shown = sold && toOrder(sold);
  return {
    ...(shown?.customer ? { customer: shown.customer } : {}),
    ...(shown ? { order: shown } : {}),
    order_return: presentResource(orderReturn, stored),
  };
};

const buildVoucher: Builder = async (context, item) => {
  const stored = parseStored(vouchers.schema, item);
  return { voucher: await showVoucherOf(context, stored), ...(await campaignOf(context, stored.campaign_id)) };
};

const redeemedVoucher = v.object({ related_object_id: text });

/** Shows the voucher of a redemption, if it exists. */
const buildUsedUp: Builder = async (context, item) => {
  const { related_object_id } = parseStored(redeemedVoucher, item);
  const { found } = await read(context.table, { found: vouchers(context.project.id, related_object_id) });
  if (!found) return { voucher: { id: related_object_id, object: 'voucher' } };
  return { voucher: await showVoucherOf(context, found), ...(await campaignOf(context, found.campaign_id)) };
};

const builders: Readonly<Record<string, Builder>> = {
  VALIDATION_RULES: buildRule,
  [kinds.validationRulesAssignment]: buildAssignment,
  [kinds.campaign]: buildCampaign,
  [kinds.job]: buildGeneration,
  [kinds.promotionTier]: buildTier,
  PROMOTION_STACK: buildStack,
  [kinds.loyaltyTier]: buildLoyaltyTier,
  [kinds.earningRule]: buildEarningRule,
  [kinds.rewardAssignment]: buildRewardAssignment,
  [kinds.customer]: buildCustomer,
  [kinds.publication]: buildPublication,
  [kinds.orderReturn]: buildReturn,
  [kinds.redemption]: buildRedemptionPayload,
  [kinds.voucher]: buildVoucher,
  [kinds.ledger]: buildEntryPayload,
  [kinds.pendingPoints]: buildPendingPayload,
};

/** Returns the item of the event from its record, or else its present state. */
export async function readToldItem({ table }: Showing, { key, image }: FoundEvent): Promise<Attributes | undefined> {
  if (image) return unpackItem(image);
  const [item] = await table.getMany([key]);
  return item;
}

export interface Built {
  readonly data: Payload;
  readonly entity_id: string | null;
  readonly group_id: string | null;
  readonly event_source: EventSource;
}

const sourced = v.object({
  event_source: v.optional(keptSource),
  data: v.optional(v.object({ event_source: v.optional(keptSource) })),
});

/** Returns the channel of the request, if the item has recorded it. */
function sourceOf(item: Attributes): EventSource {
  const { success, output } = v.safeParse(sourced, item);
  const source = success ? (output.event_source ?? output.data?.event_source) : undefined;
  return source ? showSource(source) : { channel: 'API' };
}

/** Builds the payload. Returns `undefined` if its item was too large for the message and is deleted since. */
export async function buildPayload(context: Showing, event: FoundEvent): Promise<Built | undefined> {
  const item = await readToldItem(context, event);
  if (!item) return undefined;
  const { kind } = readKinds(event.key);
  const activity = event.type.startsWith('customer.') && event.type !== 'customer.deleted';
  const ofType = event.type === 'voucher.used_up' ? buildUsedUp : builders[kind];
  const build = activity ? buildActivityPayload : ofType;
  if (!build) throw new Error(`nothing builds the payload of ${event.type}`);
  const data = await build(context, item, event.type, event);
  return { data, ...subjectOf(event, item), event_source: sourceOf(item) };
}

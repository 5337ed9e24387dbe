import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import type { Upsert } from '#engine/customers/upsert-customer.ts';
import { findFirstLockEnd } from '#engine/holds/locks.ts';
import type { Benefit, Refusal } from '#engine/rules/benefit.ts';
import type { Counts } from '#engine/rules/context.ts';
import type { CountedSubject } from '#engine/rules/counter.ts';
import type { Discount } from '#engine/rules/discounts/discount.ts';
import type { RedeemableFacts } from '#engine/rules/formulas/facts.ts';
import { listRuleKeys } from '#engine/rules/shape.ts';
import { inheritValidity } from '#engine/rules/validity/validity.ts';
import { giftFigures, type VoucherItem } from '#engine/vouchers/voucher.ts';
import { checkBySchema, noSchemas } from '#kernel/core/metadata/check.ts';
import { findLineSchemas } from '#kernel/core/metadata/declared.ts';
import { isNobody } from '#kernel/core/person.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { Redeemable, StackingCategory } from '../engine/redeemable.ts';
import { buildScope } from '../engine/selection.ts';
import type { Asked } from './checkout-body.ts';
import type { RequestFacts } from './facts.ts';
import type { FoundOrder } from './order.ts';
import { findRuleRefusal, type Judged, type RuleFacts } from './rule-refusal.ts';
import { findStateRefusal } from './state-refusal.ts';
import { namesMoved, type TargetRule } from './target-rules.ts';
import { isPaid, lockedFigures, type PaidReward, type Target } from './targets.ts';

/** Makes a redeemable for the engine from the items that were read. */

/** A redeemable with its sources. */
export interface FoundRedeemable extends Redeemable {
  readonly target: Target;
  readonly campaign: CampaignTerms | undefined;
  readonly judged: Judged;
  /** The reward for a loyalty card's points. */
  readonly reward: PaidReward | undefined;
}

/** The sources of a redeemable. */
export interface RedeemableParts {
  readonly target: Target;
  readonly campaign: CampaignTerms | undefined;
  readonly category: StackingCategory | undefined;
  readonly rules: readonly TargetRule[];
  readonly counted: CountedSubject;
  readonly counts: Counts;
  /** The uses, credits or points that other sessions lock. */
  readonly locked: number;
  readonly isOwnReferral?: boolean;
  /** The key of the request's session. */
  readonly session?: string | undefined;
  /** True if a browser calls. It must not learn the dates of beginnings or ends. */
  readonly isForBrowser?: boolean;
  /** The reward of a loyalty card, or why it is unavailable. */
  readonly reward: PaidReward | Refusal | undefined;
}

/** The facts that all redeemables of a request share. */
export interface RuleRequest extends RuleFacts {
  readonly before: CustomerItem | undefined;
  readonly after: CustomerItem | undefined;
}

const called = {
  DISCOUNT_VOUCHER: 'Discount Coupon',
  GIFT_VOUCHER: 'Gift Card',
  LOYALTY_CARD: 'Loyalty Card',
} as const;

const nothingOff: Discount = { type: 'AMOUNT', amount_off: 0, effect: 'APPLY_TO_ORDER' };

function benefitOf({ target, campaign, locked, reward }: RedeemableParts): Benefit {
  const { voucher, tier, asked } = target;
  if (!voucher) return { kind: 'discount', discount: tier?.action?.discount ?? nothingOff };
  if (voucher.type === 'GIFT_VOUCHER') {
    const balance = Math.max(0, (giftFigures(voucher)?.balance ?? 0) - locked);
    return { kind: 'gift', gift: { balance, credits: asked.credits, effect: voucher.gift?.effect } };
  }
  if (voucher.type === 'LOYALTY_CARD') {
    if (reward && isPaid(reward)) return reward.benefit;
    return { kind: 'reward', reward: { balance: 0, points: 0 } };
  }
  return { kind: 'discount', discount: voucher.discount ?? campaign?.voucher?.discount ?? nothingOff };
}

/**
 * Describes the amount of a card that other sessions hold, and until when. `findStateRefusal` does this for coupons.
 */
function heldOf({ target, campaign, locked, session }: RedeemableParts, now: Date): string | undefined {
  const { voucher, stored } = target;
  if (locked === 0 || !voucher || voucher.type === 'DISCOUNT_VOUCHER') return undefined;
  const ends = findFirstLockEnd(stored, { except: session, now, endedAround: campaign?.sessions_ended ?? 0 });
  return `other sessions hold ${locked} ${lockedFigures[voucher.type].of}, the first until ${ends}`;
}

const saying = new WeakMap<TargetRule['document'], boolean>();

/**
 * Returns whether a rule decides the products of a discount. The result is cached by document, because hundreds of requests and redeemables
 * share it.
 */
function saysForWhat({ document }: TargetRule): boolean {
  const { applicable_to: to, rules: all } = document;
  const says =
    saying.get(document) ??
    ((to?.included?.length ?? 0) + (to?.excluded?.length ?? 0) > 0 ||
      listRuleKeys(all ?? {}).some((key) => JSON.stringify(all?.[key] ?? '').includes('discount_applicable')));
  saying.set(document, says);
  return says;
}

/** Returns the rule that decides the discount's products: the first with entries, its own before its campaign's. */
function scopeOfRules(rules: readonly TargetRule[], { now, schemas = noSchemas }: RuleFacts) {
  return buildScope(rules.find(saysForWhat)?.document ?? {}, { now, lineSchemas: findLineSchemas(schemas) });
}

function voucherFacts(item: VoucherItem, campaign: CampaignTerms | undefined): RedeemableFacts['voucher'] {
  const { redemption_quantity, redeemed_quantity, publish_count } = item;
  const { start_date, expiration_date } = inheritValidity(item, campaign);
  return { start_date, expiration_date, redemption_quantity, redeemed_quantity, publish_count };
}

/** Returns the facts for its formulas. */
function factsOf({ target: { voucher, tier }, campaign }: RedeemableParts, request: RuleRequest): RedeemableFacts {
  const { now, decimals, orderMetadata, redemptionMetadata, after } = request;
  return {
    now,
    decimals,
    order_metadata: orderMetadata,
    redemption_metadata: redemptionMetadata,
    redeemable_metadata: (voucher ?? tier)?.metadata,
    publication_metadata: voucher?.publication_metadata,
    customer: after && { metadata: after.metadata, birthdate: after.birthdate ?? after.birthday },
    voucher: voucher && voucherFacts(voucher, campaign),
    promotion_tier: tier && { start_date: tier.start_date, expiration_date: tier.expiration_date },
  };
}

/** Makes the redeemable. `of` finds the sources of another redeemable in the request. */
export function buildRedeemable(
  parts: RedeemableParts,
  request: RuleRequest,
  of: (one: Redeemable) => FoundRedeemable,
): FoundRedeemable {
  const { target, campaign, category, rules, counted, counts, reward } = parts;
  const { voucher } = target;
  const judged = {
    called: voucher ? called[voucher.type] : 'Promotion Tier',
    rules,
    counted,
    names: namesMoved(target, campaign, rules),
    counts,
    holderId: voucher?.holder_id ?? undefined,
  };
  const isCounted = voucher?.type === 'DISCOUNT_VOUCHER';
  const about = {
    campaign,
    customerId: request.after?.id,
    mergedIds: request.after?.merged?.map(({ id }) => id),
    isOwnReferral: parts.isOwnReferral,
    locked: isCounted ? parts.locked : 0,
    session: parts.session,
    isForBrowser: parts.isForBrowser ?? false,
    now: request.now,
  };
  const bundles = rules.find(({ compiled }) => compiled.bundles)?.compiled.bundles;
  return {
    target,
    campaign,
    category,
    judged,
    reward: reward && isPaid(reward) ? reward : undefined,
    benefit: benefitOf(parts),
    held: heldOf(parts, request.now),
    scope: scopeOfRules(rules, request),
    bundles,
    facts: factsOf(parts, request),
    check: () => findStateRefusal(target, about) ?? (reward && !isPaid(reward) ? reward : undefined),
    judge: (effects, earlier) =>
      findRuleRefusal(
        request,
        judged,
        effects,
        earlier.map((one) => ({ ...one, judged: of(one.redeemable).judged })),
      ),
  };
}

interface About {
  readonly asked: Pick<Asked, 'metadata' | 'browser'>;
  readonly customer: Pick<Upsert, 'before' | 'after'> | undefined;
  readonly order: Pick<FoundOrder, 'metadata'> | undefined;
  readonly facts: RequestFacts;
}

/** The context of a checkout. A validation of a browser has no caller. */
export type Calling = Reading & {
  readonly caller?: { readonly appId: string; readonly automatic?: true } | undefined;
};

/** Checks the redemption's metadata. Validations and automatic redemptions need no required keys. */
export function checkSentMetadata({ project, caller }: Calling, { metadata = {} }: Asked, isStored: boolean): void {
  const isNew = isStored && !caller?.automatic;
  checkBySchema(project.schemas('redemption'), metadata, { place: 'metadata', before: isNew ? undefined : {} });
}

/** Returns the customer without the fields that the creating browser sends. */
function unsaid(after: CustomerItem): CustomerItem {
  return { ...after, metadata: {}, birthdate: undefined, birthday: undefined };
}

/** Returns the facts for rules that all redeemables of a request share. A page's metadata is never judged. */
export function buildRequest({ project, now, caller }: Calling, { asked, customer, order, facts }: About): RuleRequest {
  const { browser } = asked;
  const { before } = customer ?? {};
  const after = customer && (browser && !before ? unsaid(customer.after) : customer.after);
  const { areas, segments, loyaltyTiers: loyalty_tiers } = facts;
  return {
    projectId: project.id,
    schemas: project.schemas,
    decimals: project.decimals,
    now,
    areas,
    before,
    after,
    customer: after && {
      id: before?.id,
      metadata: after.metadata,
      segments,
      loyalty_tiers,
      is_nobody: isNobody(after),
    },
    orderMetadata: order?.metadata,
    redemptionMetadata: browser ? undefined : asked.metadata,
    apiKey: caller?.appId,
  };
}

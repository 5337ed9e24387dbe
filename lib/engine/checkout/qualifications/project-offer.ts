import { campaigns } from '#engine/campaigns/campaign.ts';
import { type CampaignTerms, parseTerms } from '#engine/campaigns/campaign-terms.ts';
import { type PromotionTierItem, promotionTiers } from '#engine/campaigns/promotions/promotion-tier.ts';
import { mergeNeeds, readNeeds } from '#engine/rules/needs.ts';
import { validationRule } from '#engine/rules/resource.ts';
import { type Offer, Offers } from '#kernel/kit/offers/offer.ts';
import { type NotedKind, nameNoted, notedKinds } from '#kernel/kit/offers/offer-notes.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import type { Key } from '#kernel/table/keys.ts';
import { compileTargetRule, type TargetRule } from '../request/target-rules.ts';
import { canGiveCodes, makeCampaignCandidate, makeTierCandidate } from './candidate.ts';
import { type CandidateIndex, indexCandidates } from './candidate-index.ts';
import { compareAge } from './cursor.ts';
import { prepareCandidate } from './prepared-candidate.ts';

/** Keeps a project's public offer in the container. */
export interface ProjectOffer {
  /** Inactive redeemables are left out. */
  readonly open: CandidateIndex;
  readonly tiers: ReadonlyMap<string, PromotionTierItem>;
  readonly campaigns: ReadonlyMap<string, CampaignTerms>;
  readonly rules: ReadonlyMap<string, TargetRule>;
  /** True if a rule needs segments or loyalty tiers, which depend on a customer's cards. */
  readonly asksForCards: boolean;
}

type Thing =
  | { readonly tier: PromotionTierItem }
  | { readonly campaign: CampaignTerms }
  | { readonly rule: TargetRule };

const keys: Readonly<Record<NotedKind, (projectId: string, id: string) => Key>> = {
  promotion_tier: promotionTiers,
  campaign: campaigns,
  validation_rule: validationRule.few,
};

const readings: Readonly<Record<NotedKind, (item: Attributes) => Thing>> = {
  promotion_tier: (item) => ({ tier: parseStored(promotionTiers.schema, item) }),
  campaign: (item) => ({ campaign: parseTerms(item) }),
  validation_rule: (item) => ({ rule: compileTargetRule(parseStored(validationRule.stored, item)) }),
};

function parted(name: string): { what: NotedKind; id: string } {
  const what = notedKinds.find((one) => name.startsWith(nameNoted(one, '')));
  if (!what) throw new Error(`${name} is of no kind that is noted`);
  return { what, id: name.slice(nameNoted(what, '').length) };
}

export const offers = new Offers<Thing>(
  (projectId, name) => {
    const { what, id } = parted(name);
    return keys[what](projectId, id);
  },
  (name, item) => readings[parted(name).what](item),
);

const shelves = new WeakMap<Offer<Thing>, ProjectOffer>();

/** Returns the shelf, which is made once for each state of the offer. */
export function compileOffer(offer: Offer<Thing>): ProjectOffer {
  const known = shelves.get(offer);
  if (known) return known;
  const things = [...offer.things.values()].map(({ value }) => value);
  const byId = <T extends { readonly id: string }>(all: readonly T[]) => new Map(all.map((one) => [one.id, one]));
  const tiers = byId(things.flatMap((one) => ('tier' in one ? [one.tier] : [])));
  const terms = byId(things.flatMap((one) => ('campaign' in one ? [one.campaign] : [])));
  const rules = byId(things.flatMap((one) => ('rule' in one ? [one.rule] : [])));
  const about = { campaigns: terms, rules };
  const ofTiers = [...tiers.values()].flatMap((tier) => {
    const campaign = terms.get(tier.campaign_id);
    return tier.active && campaign?.active
      ? [prepareCandidate(tier, campaign, about, () => makeTierCandidate(tier, campaign))]
      : [];
  });
  const ofCampaigns = [...terms.values()]
    .filter((campaign) => campaign.active && canGiveCodes(campaign))
    .map((campaign) => prepareCandidate(campaign, campaign, about, () => makeCampaignCandidate(campaign)));
  const needs = mergeNeeds([...rules.values()].map(({ document }) => readNeeds(document)));
  const shelf = {
    ...about,
    tiers,
    open: indexCandidates(
      [...ofTiers, ...ofCampaigns].sort((one, other) => compareAge(one.candidate, other.candidate)),
      needs.collections,
    ),
    asksForCards: needs.segments.size > 0 || needs.loyaltyTiers,
  };
  shelves.set(offer, shelf);
  return shelf;
}

import { campaigns } from '../../campaigns/campaign.ts';
import { type CampaignTerms, termsOf } from '../../campaigns/campaign-terms.ts';
import { type PromotionTierItem, promotionTiers } from '../../campaigns/promotions/promotion-tier.ts';
import { type Noted, nameOf, noted } from '../../kit/offered/noted.ts';
import { type Offer, Offers } from '../../kit/offered/offer.ts';
import { needsOf, needsOfAll } from '../../rules/needs.ts';
import { validationRule } from '../../rules/resource.ts';
import { type Attributes, parseStored } from '../../table/item.ts';
import type { Key } from '../../table/keys.ts';
import { type TargetRule, targetRule } from '../request/target-rules.ts';
import { campaignCandidate, givesCodes, tierCandidate } from './candidate.ts';
import { byAge } from './cursor.ts';
import { type OpenIndex, openIndex } from './likely.ts';
import { prepared } from './prepared.ts';

/** Keeps a project's public offer in the container. */
export interface Shelf {
  /** Inactive redeemables are left out. */
  readonly open: OpenIndex;
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

const keys: Readonly<Record<Noted, (projectId: string, id: string) => Key>> = {
  promotion_tier: promotionTiers,
  campaign: campaigns,
  validation_rule: validationRule.few,
};

const readings: Readonly<Record<Noted, (item: Attributes) => Thing>> = {
  promotion_tier: (item) => ({ tier: parseStored(promotionTiers.schema, item) }),
  campaign: (item) => ({ campaign: termsOf(item) }),
  validation_rule: (item) => ({ rule: targetRule(parseStored(validationRule.stored, item)) }),
};

function parted(name: string): { what: Noted; id: string } {
  const what = noted.find((one) => name.startsWith(nameOf(one, '')));
  if (!what) throw new Error(`${name} is of no kind that is noted`);
  return { what, id: name.slice(nameOf(what, '').length) };
}

export const offers = new Offers<Thing>(
  (projectId, name) => {
    const { what, id } = parted(name);
    return keys[what](projectId, id);
  },
  (name, item) => readings[parted(name).what](item),
);

const shelves = new WeakMap<Offer<Thing>, Shelf>();

/** Returns the shelf, which is made once for each state of the offer. */
export function shelfOf(offer: Offer<Thing>): Shelf {
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
      ? [prepared(tier, campaign, about, () => tierCandidate(tier, campaign))]
      : [];
  });
  const ofCampaigns = [...terms.values()]
    .filter((campaign) => campaign.active && givesCodes(campaign))
    .map((campaign) => prepared(campaign, campaign, about, () => campaignCandidate(campaign)));
  const needs = needsOfAll([...rules.values()].map(({ document }) => needsOf(document)));
  const shelf = {
    ...about,
    tiers,
    open: openIndex(
      [...ofTiers, ...ofCampaigns].sort((one, other) => byAge(one.candidate, other.candidate)),
      needs.collections,
    ),
    asksForCards: needs.segments.size > 0 || needs.loyaltyTiers,
  };
  shelves.set(offer, shelf);
  return shelf;
}

import * as v from 'valibot';
import type { LoyaltyTierItem } from '#engine/campaigns/programme.ts';
import { pointsExpirationRules } from '#engine/ledger/lots.ts';
import { validityDates } from '#engine/rules/validity/validity.ts';
import { count, dateTime, metadata, nullable } from '#kernel/core/schema.ts';
import { childKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { computePoints, type EarningOccasion, keptFormula, measure, measured, measuredEvent } from './measure.ts';

/** Replaces the id of a tier, for any tier of the project. */
export const anyTier = '__ANY__';

export const storedLoyalty = v.variant('type', [
  v.object({ type: v.literal('FIXED'), points: count, points_formula: keptFormula }),
  measured,
  measuredEvent,
]);

/** A stored rule: the points that an event or a paid order earns on a card of the campaign. */
export const earningRuleItem = v.object({
  id: v.string(),
  campaign_id: v.string(),
  event: v.string(),
  /** The segment that is entered. A rule without it, whose segment was deleted, earns nothing. */
  segment: v.optional(v.object({ id: v.string() })),
  /** The tier, or `__ANY__`. A rule without it, whose tier was deleted, earns nothing. */
  loyalty_tier: v.optional(v.object({ id: v.string() })),
  active: v.boolean(),
  /** True if events of pages also earn by the rule. */
  client_events: v.optional(v.boolean()),
  loyalty: storedLoyalty,
  /** The days for which points are pending. */
  pending_points: v.optional(v.object({ days: count })),
  ...validityDates,
  /** Replaces the programme's expiration. */
  expiration_rules: v.optional(pointsExpirationRules),
  source: v.optional(v.object({ banner: v.optional(v.string()) })),
  metadata: v.optional(metadata),
  created_at: v.optional(dateTime),
  updated_at: nullable(dateTime),
  /** Increases with every change over the API. */
  revision: v.optional(count),
});

export type EarningRule = v.InferOutput<typeof earningRuleItem>;

/** The rules of one campaign share a partition. */
export const earningRules = childKind({ kind: kinds.earningRules }, kinds.earningRule, earningRuleItem, {
  family: 'earning',
});

/** Keys the campaigns that reward an event, or did so. Their rules decide. */
export const earningProgrammes = childKind(
  { kind: kinds.earningProgrammes },
  kinds.earningProgramme,
  v.object({ campaign_id: v.string() }),
  { family: 'earning' },
);

export interface Earning {
  rule: EarningRule;
  points: number;
  /** The value 0 means that points are credited immediately. */
  pendingDays: number;
}

type TierChange = LoyaltyTierItem['earning_rules'][string];

/** Returns the number, or infinity beyond the safe integers, which no card can hold. */
function limited(points: bigint): number {
  return points > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(points);
}

/**
 * Multiplies points and rounds down by the decimal digits of the factor. 100 times 1.15 is 115, although 1.15 is a little less in binary.
 */
export function multiplyRoundedDown(points: number, factor: number): number {
  const [digits = '0', exponent = '0'] = String(factor).split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  const scale = fraction.length - Number(exponent);
  const product = BigInt(points) * BigInt(whole + fraction);
  return limited(scale >= 0 ? product / 10n ** BigInt(scale) : product * 10n ** BigInt(-scale));
}

/** Returns the points of a rule, or the tier's own points for it. `undefined` means that the rule is not met. */
function basePoints(
  { loyalty }: Pick<EarningRule, 'loyalty'>,
  earned: EarningOccasion,
  own: number | undefined,
  now: Date,
): number | undefined {
  if (loyalty.type === 'FIXED') return own ?? computePoints(loyalty, earned, now);
  const { value, every, ...plain } = measure(loyalty, earned);
  if (typeof value !== 'number' || value < 0) return undefined;
  return limited(BigInt(Math.floor(value / every)) * BigInt(own ?? computePoints(plain, earned, now)));
}

function changeBy(tier: LoyaltyTierItem | undefined, { id }: EarningRule): TierChange | undefined {
  return tier && Object.hasOwn(tier.earning_rules, id) ? tier.earning_rules[id] : undefined;
}

/** Returns the points of a rule with the change by the member's tier. They are infinite beyond the safe integers. */
export function computeRulePoints(
  rule: Pick<EarningRule, 'loyalty'>,
  change: TierChange | undefined,
  earned: EarningOccasion,
  now: Date,
): number {
  const points = basePoints(rule, earned, change?.type === 'CUSTOM' ? change.points : undefined, now) ?? 0;
  return change?.type === 'MULTIPLY' && Number.isFinite(points)
    ? multiplyRoundedDown(points, change.multiplier)
    : points;
}

/** Returns the points of a member of the tier. Rules without points are left out. */
export function computeTierEarnings(
  rules: readonly EarningRule[],
  earned: EarningOccasion,
  tier: LoyaltyTierItem | undefined,
  now: Date,
): Earning[] {
  return rules
    .filter((rule) => rule.active && rule.event === earned.event)
    .flatMap((rule) => {
      const points = computeRulePoints(rule, changeBy(tier, rule), earned, now);
      return points > 0 ? [{ rule, points, pendingDays: rule.pending_points?.days ?? 0 }] : [];
    });
}

import * as v from 'valibot';
import type { LoyaltyTierItem } from '../loyalty/loyalty-tier.ts';
import { count, positiveInteger } from '../schema.ts';

/** As stored: what an event earns on a card of the campaign. */
export const earningRuleItem = v.object({
  id: v.string(),
  campaign_id: v.string(),
  event: v.string(),
  active: v.boolean(),
  loyalty: v.variant('type', [
    v.object({ type: v.literal('FIXED'), points: count }),
    /** `points` for each full `every` of a metadata number. */
    v.object({
      type: v.literal('PROPORTIONAL'),
      metadata_key: v.string(),
      points: count,
      every: positiveInteger,
    }),
  ]),
  /** Points that are pending for so many days before they are the member's. */
  pending_points: v.optional(v.object({ days: count })),
});

export type EarningRule = v.InferOutput<typeof earningRuleItem>;

export interface Earning {
  rule: EarningRule;
  points: number;
  /** 0: they are credited at once. */
  pendingDays: number;
}

/** The largest number is no number of points that a card could hold. */
function limited(points: bigint): number {
  return points > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(points);
}

/** Rounded down, by the decimal digits of the factor: 100 times 1.15 are 115, though 1.15 is a little less in binary. */
export function timesRoundedDown(points: number, factor: number): number {
  const [digits = '0', exponent = '0'] = String(factor).split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  const scale = fraction.length - Number(exponent);
  const product = BigInt(points) * BigInt(whole + fraction);
  return limited(scale >= 0 ? product / 10n ** BigInt(scale) : product * 10n ** BigInt(-scale));
}

/** What a rule gives for the event itself; `undefined` when it is not met. */
function basePoints({ loyalty }: EarningRule, metadata: Readonly<Record<string, unknown>>): number | undefined {
  if (loyalty.type === 'FIXED') return loyalty.points;
  const value = Object.hasOwn(metadata, loyalty.metadata_key) ? metadata[loyalty.metadata_key] : undefined;
  if (typeof value !== 'number' || value < 0) return undefined;
  return limited(BigInt(Math.floor(value / loyalty.every)) * BigInt(loyalty.points));
}

function inTier(rule: EarningRule, points: number, tier: LoyaltyTierItem | undefined): number {
  const change = tier && Object.hasOwn(tier.earning_rules, rule.id) ? tier.earning_rules[rule.id] : undefined;
  if (!change || !Number.isFinite(points)) return points;
  return change.type === 'CUSTOM' ? change.points : timesRoundedDown(points, change.multiplier);
}

/** What the event earns a member of the tier (ruling F.4); rules that give nothing are left out. */
export function earningsOf(
  rules: readonly EarningRule[],
  event: string,
  metadata: Readonly<Record<string, unknown>>,
  tier: LoyaltyTierItem | undefined,
): Earning[] {
  return rules
    .filter((rule) => rule.active && rule.event === event)
    .flatMap((rule) => {
      const base = basePoints(rule, metadata);
      const points = base === undefined ? 0 : inTier(rule, base, tier);
      return points > 0 ? [{ rule, points, pendingDays: rule.pending_points?.days ?? 0 }] : [];
    });
}

import type { LoyaltyTierItem } from '#engine/campaigns/programme.ts';
import { orderPaid } from '#engine/ledger/earning-events.ts';
import type { EarningRule } from '#engine/loyalty/earning/earning-rule.ts';
import { measure } from '#engine/loyalty/earning/measure.ts';

/** Describes earning rules to buyers. */

const nothing = { event: orderPaid, metadata: {}, customerMetadata: {} };

function showMoney(amount: number, currency: string | undefined): string {
  if (currency === undefined || !/^[a-z]{3}$/i.test(currency)) return `${amount} minor units`;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

function countPoints(points: number): string {
  return points === 1 ? '1 point' : `${points} points`;
}

function describeMeasure(loyalty: EarningRule['loyalty'], currency: string | undefined): string {
  if (loyalty.type === 'FIXED') return `${countPoints(loyalty.points)} for an order`;
  const { every, points } = measure(loyalty, nothing);
  const earned = `${countPoints(points)} for each`;
  if ('metadata_key' in loyalty) return `${earned} ${every} of ${loyalty.metadata_key}`;
  switch (loyalty.calculation_type) {
    case 'ORDER_AMOUNT':
    case 'ORDER_TOTAL_AMOUNT':
      return `${earned} ${showMoney(every, currency)}`;
    case 'ORDER_ITEMS_AMOUNT':
    case 'ORDER_ITEMS_SUBTOTAL_AMOUNT':
      return `${earned} ${showMoney(every, currency)} of certain products`;
    case 'ORDER_ITEMS_QUANTITY':
      return every === 1 ? `${earned} of certain products` : `${earned} ${every} of certain products`;
    default:
      return `${earned} ${every} by a figure of the shop`;
  }
}

function describeChange(change: LoyaltyTierItem['earning_rules'][string] | undefined): string {
  if (!change) return '';
  return change.type === 'MULTIPLY' ? `, times ${change.multiplier}` : `, ${countPoints(change.points)} in this tier`;
}

/** Returns the rule's banner, else its terms. A tier may change them. */
export function describeRule(
  { id, source, loyalty }: EarningRule,
  tier: LoyaltyTierItem | undefined,
  currency: string | undefined,
): string {
  const change = tier && Object.hasOwn(tier.earning_rules, id) ? tier.earning_rules[id] : undefined;
  return `${source?.banner || describeMeasure(loyalty, currency)}${describeChange(change)}`;
}

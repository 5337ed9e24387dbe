import { assignedRule, coupon, validationRule } from '../lists.ts';
import type { Offer, PricedLine } from './pricing.ts';
import { type Draw, drawUpTo, pick } from './random-sales.ts';

/** Draws orders with coupons that an order can lose by a return. */

export interface Offered {
  name: string;
  lines: readonly PricedLine[];
  offers: readonly Offer[];
}

const prices = [1n, 7n, 99n, 1_000n, 1_250n, 6_000n, 33_333n];

function drawOffers(draw: Draw, worth: bigint): Offer[] {
  const from = drawUpTo(draw, worth);
  const percent: Offer = { kind: 'percent', percent: 1n + drawUpTo(draw, 99n), from };
  const amount: Offer = { kind: 'amount', off: 1n + drawUpTo(draw, worth / 2n), from };
  // The amount that a rule reads sinks with each discount, so only the first offer has a minimum.
  const { from: _, ...anyway } = pick(draw, [percent, amount]);
  return pick<Offer[]>(draw, [[percent], [amount], [percent, anyway], [amount, anyway], [{ kind: 'three for two' }]]);
}

export function drawOffered(draw: Draw, name: string): Offered {
  const lines = Array.from({ length: 1 + draw(4) }, () => ({
    quantity: BigInt(1 + draw(6)),
    price: pick(draw, prices),
  }));
  const worth = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0n);
  return { name, lines, offers: drawOffers(draw, worth) };
}

export const codeOf = ({ name }: Offered, place: number) => `${name}-offer-${place}`;

const everything = { object: 'products_collection', id: 'pc_a11pr0dUc75' };
const lastOfThree = { effect: 'APPLY_FROM_MOST_EXPENSIVE', skip_initially: 2, repeat: 3, target: 'UNIT' };

function discountOf(offer: Offer): object {
  if (offer.kind === 'three for two') return { type: 'PERCENT', percent_off: 100, effect: 'APPLY_TO_ITEMS' };
  if (offer.kind === 'percent')
    return { type: 'PERCENT', percent_off: Number(offer.percent), effect: 'APPLY_TO_ORDER' };
  return { type: 'AMOUNT', amount_off: Number(offer.off), effect: 'APPLY_TO_ORDER' };
}

function ruleOf(id: string, offer: Offer): object[] {
  if (offer.kind === 'three for two')
    return [{ id, name: id, rules: {}, applicable_to: { included: [{ ...everything, ...lastOfThree }] } }];
  if (offer.from === undefined) return [];
  return [validationRule(id, id, { name: 'order.amount', conditions: { $more_than_or_equal: [Number(offer.from)] } })];
}

/** Returns the lists of the project in which these orders can be sold. */
export function offeredLists(all: readonly Offered[]) {
  const each = all.flatMap((one) => one.offers.map((offer, place) => ({ offer, code: codeOf(one, place) })));
  const rules = each.flatMap(({ offer, code }) => ruleOf(`val_${code}`, offer).map((rule) => ({ rule, code })));
  return {
    vouchers: each.map(({ offer, code }) => coupon(code, discountOf(offer), { active: true })),
    validation_rules: rules.map(({ rule }) => rule),
    validation_rules_assignments: rules.map(({ code }) => ({
      ...{ id: `asgm_${code}` },
      ...assignedRule(`val_${code}`, 'voucher', code),
    })),
  };
}

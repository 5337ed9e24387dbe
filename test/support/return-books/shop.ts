import { assignedReward, coupon, earningRule, giftVoucher } from '../lists.ts';
import { card, programme } from '../loyalty.ts';
import type { Account, EarningRule } from './points.ts';
import { coins, type Draw, drawSale, drawUpTo, pick } from './random-sales.ts';
import { type Coupon, type Payment, paymentsOf, type Sale } from './sale.ts';

/** A shop in which each drawn order has its own customer, cards and coupons. */

const byTotal: EarningRule = { measure: 'ORDER_TOTAL_AMOUNT', every: 100n, points: 1n };
const byAmount: EarningRule = { measure: 'ORDER_AMOUNT', every: 70n, points: 2n };
const welcome: EarningRule = { measure: 'FIXED', points: 15n };

/** The programmes by their id. A card pays from `camp_club`, which earns nothing. */
const programmes: Record<string, { rules: EarningRule[]; isPending: boolean }> = {
  camp_total: { rules: [byTotal], isPending: false },
  camp_amount: { rules: [byAmount], isPending: false },
  camp_both: { rules: [byTotal, welcome], isPending: false },
  camp_later: { rules: [byTotal], isPending: true },
};
const paying = 1_000_000_000;

export interface Planned {
  name: string;
  sale: Sale;
  /** The places in `redeemed` at which a new request begins. */
  requests: readonly (readonly (Coupon | Payment)[])[];
  isPaid: boolean;
  programme: string | undefined;
  /** The points of the earning card that are spent, or withdrawn, between the sale and the first return. */
  spentPercent: number;
  /** Codes of gift cards that are deleted before the first return. */
  deleted: ReadonlySet<string>;
}

const wireRule = (rule: EarningRule) => {
  if (rule.measure === 'FIXED') return { type: 'FIXED', points: Number(rule.points) };
  const figure = { every: Number(rule.every), points: Number(rule.points) };
  const order = rule.measure === 'ORDER_AMOUNT' ? { amount: figure } : { total_amount: figure };
  return { type: 'PROPORTIONAL', calculation_type: rule.measure, order };
};

/** Renames what was drawn, so that no other order has its codes. */
function ownCodes(name: string, { redeemed, ...sale }: Sale): Sale {
  const renamed = redeemed.map((one) => {
    const redemption = `${name}-${one.redemption}`;
    return one.kind === 'coupon' ? { ...one, redemption } : { ...one, redemption, code: `${name}-${one.code}` };
  });
  return { ...sale, redeemed: renamed };
}

function drawRequests(draw: Draw, redeemed: Sale['redeemed']) {
  const requests: (Coupon | Payment)[][] = [];
  for (const one of redeemed) {
    const last = requests.at(-1);
    if (last && draw(3) > 0) last.push(one);
    else requests.push([one]);
  }
  return requests;
}

export function planOrder(draw: Draw, name: string): Planned {
  const sale = ownCodes(name, drawSale(draw));
  const gifts = paymentsOf(sale).flatMap(({ kind, code }) => (kind === 'credits' ? [code] : []));
  const isPaid = draw(10) > 0;
  return {
    ...{ name, sale, isPaid },
    requests: drawRequests(draw, sale.redeemed),
    programme: isPaid && draw(4) > 0 ? pick(draw, Object.keys(programmes)) : undefined,
    spentPercent: draw(3) > 0 ? 0 : Number(drawUpTo(draw, 100n)),
    deleted: new Set(gifts.filter(() => draw(12) === 0)),
  };
}

/** Returns the card that earns by this order, in its state before the first return. */
export function accountOf({ name, programme: id, spentPercent }: Planned, earned: bigint): Account | undefined {
  const found = id === undefined ? undefined : programmes[id];
  if (!found) return undefined;
  const spent = found.isPending ? 0n : (earned * BigInt(spentPercent)) / 100n;
  const lots = found.isPending ? [] : [{ points: earned - spent, expires: null, ofOrder: true }];
  return { code: `${name}-earn`, rules: found.rules, earned, pending: found.isPending ? earned : 0n, lots };
}

/** Returns the points that a sale earns. */
export function earnedBy({ programme: id }: Planned, amount: bigint, total: bigint): bigint {
  let points = 0n;
  for (const rule of programmes[id ?? '']?.rules ?? []) {
    if (rule.measure === 'FIXED') points += rule.points;
    else points += ((rule.measure === 'ORDER_AMOUNT' ? amount : total) / rule.every) * rule.points;
  }
  return points;
}

function voucherOf(planned: Planned, one: Coupon | Payment) {
  const active = { active: true };
  if (one.kind === 'coupon')
    return coupon(
      one.redemption,
      { type: 'AMOUNT', amount_off: Number(one.discount), effect: 'APPLY_TO_ORDER' },
      active,
    );
  if (one.kind === 'points') return card(one.code, paying, { holder_id: `cust_${planned.name}` });
  return giftVoucher(one.code, { amount: Number(one.worth), balance: Number(one.worth) }, active);
}

/** Returns the lists of the project in which these orders can be sold. */
export function listsOf(plans: readonly Planned[]) {
  return {
    campaigns: [programme('camp_club'), ...Object.keys(programmes).map((id) => programme(id))],
    customers: plans.map(({ name }) => ({ id: `cust_${name}` })),
    earning_rules: Object.entries(programmes).flatMap(([id, { rules, isPending }]) =>
      rules.map((rule, index) =>
        earningRule(`ern_${id}_${index}`, 'order.paid', wireRule(rule), {
          campaign_id: id,
          ...(isPending ? { pending_points: { days: 14 } } : {}),
        }),
      ),
    ),
    rewards: coins.map(({ id, parameters: coin }) => ({ id, name: id, type: 'COIN', parameters: { coin } })),
    reward_assignments: coins.map(({ id }) => assignedReward(`rewa_${id}`, id)),
    vouchers: plans.flatMap((planned) => [
      ...planned.sale.redeemed.map((one) => voucherOf(planned, one)),
      ...(planned.programme === undefined
        ? []
        : [card(`${planned.name}-earn`, 0, { campaign_id: planned.programme, holder_id: `cust_${planned.name}` })]),
    ]),
  };
}

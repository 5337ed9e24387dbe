import type { Discount } from '#engine/rules/discounts/discount.ts';

type Effect = Discount['effect'];

export const amount = (amount_off: number, effect?: Effect): Discount => ({ type: 'AMOUNT', amount_off, effect });
export const percent = (percent_off: number, effect?: Effect): Discount => ({ type: 'PERCENT', percent_off, effect });
export const fixed = (fixed_amount: number, effect?: Effect): Discount => ({ type: 'FIXED', fixed_amount, effect });

/** The fields of a unit discount without its type. */
export type Units = Omit<Extract<Discount, { type: 'UNIT' }>, 'type'>;

export const units = (discount: Units): Discount => ({ type: 'UNIT', ...discount });

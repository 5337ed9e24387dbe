import type { Asking } from '../request/asked-rules.ts';

/** Describes the scenarios of qualifications (docs/qualifications.md#qualifications). */

export const scenarios = [
  'ALL',
  'CUSTOMER_WALLET',
  'AUDIENCE_ONLY',
  'PRODUCTS',
  'PRODUCTS_DISCOUNT',
  'PROMOTION_STACKS',
  'PRODUCTS_BY_CUSTOMER',
  'PRODUCTS_DISCOUNT_BY_CUSTOMER',
] as const;

export type Scenario = (typeof scenarios)[number];

/** The settings of a scenario. */
export interface ScenarioPlan {
  readonly asking: Asking;
  /** True if redeemables are shown that the cart lacks products for: with their bundle, or by their definition. */
  readonly isLenient: boolean;
  /** `wallet` includes held vouchers, and `open` includes public redeemables. */
  readonly wallet: boolean;
  readonly open: boolean;
  /** Only includes redeemables about products of the cart, by their discount or one of their rules. */
  readonly about?: 'discount' | 'discount or rules';
  /** True if promotion stacks are shown instead of single redeemables. */
  readonly isOfStacks?: true;
}

const ofProducts = { isLenient: true, open: true } as const;

export const plans: Readonly<Record<Scenario, ScenarioPlan>> = {
  ALL: { asking: 'all', isLenient: false, wallet: true, open: true },
  CUSTOMER_WALLET: { asking: 'all', isLenient: false, wallet: true, open: false },
  AUDIENCE_ONLY: { asking: 'of the customer', isLenient: true, wallet: true, open: true },
  PRODUCTS: { ...ofProducts, asking: 'none', wallet: false, about: 'discount or rules' },
  PRODUCTS_DISCOUNT: { ...ofProducts, asking: 'none', wallet: false, about: 'discount' },
  PROMOTION_STACKS: { asking: 'all', isLenient: false, wallet: false, open: false, isOfStacks: true },
  PRODUCTS_BY_CUSTOMER: { ...ofProducts, asking: 'of the customer', wallet: true, about: 'discount or rules' },
  PRODUCTS_DISCOUNT_BY_CUSTOMER: { ...ofProducts, asking: 'of the customer', wallet: true, about: 'discount' },
};

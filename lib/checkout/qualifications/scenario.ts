import type { Asking } from '../request/asked-rules.ts';

/** What callers ask a qualification for: see docs/qualifications.md#qualifications. */

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

/** How a scenario is answered. */
export interface Plan {
  readonly asking: Asking;
  /** Whether one is shown that the cart has too little for: with its bundle, or with what it is alone. */
  readonly isLenient: boolean;
  /** Whether what the customer holds is looked at, and what anybody may use. */
  readonly wallet: boolean;
  readonly open: boolean;
  /** Only what is about products of the cart: its discount, or that or one of its rules. */
  readonly about?: 'discount' | 'discount or rules';
  /** Promotion stacks in place of anything else. */
  readonly isOfStacks?: true;
}

const ofProducts = { isLenient: true, open: true } as const;

export const plans: Readonly<Record<Scenario, Plan>> = {
  ALL: { asking: 'all', isLenient: false, wallet: true, open: true },
  CUSTOMER_WALLET: { asking: 'all', isLenient: false, wallet: true, open: false },
  AUDIENCE_ONLY: { asking: 'of the customer', isLenient: true, wallet: true, open: true },
  PRODUCTS: { ...ofProducts, asking: 'none', wallet: false, about: 'discount or rules' },
  PRODUCTS_DISCOUNT: { ...ofProducts, asking: 'none', wallet: false, about: 'discount' },
  PROMOTION_STACKS: { asking: 'all', isLenient: false, wallet: false, open: false, isOfStacks: true },
  PRODUCTS_BY_CUSTOMER: { ...ofProducts, asking: 'of the customer', wallet: true, about: 'discount or rules' },
  PRODUCTS_DISCOUNT_BY_CUSTOMER: { ...ofProducts, asking: 'of the customer', wallet: true, about: 'discount' },
};

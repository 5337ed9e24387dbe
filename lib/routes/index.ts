import { assetRoutes } from './assets.ts';
import { campaignRoutes } from './campaigns.ts';
import { customerRoutes } from './customers.ts';
import { fallbackRoutes } from './fallback.ts';
import { loyaltyRoutes } from './loyalties.ts';
import { loyaltyRewardRoutes } from './loyalty-rewards.ts';
import { managementRoutes } from './management.ts';
import { promotionRoutes } from './promotions.ts';
import type { Route, Routes } from './route.ts';
import { tokenRoutes } from './tokens.ts';
import { voucherRoutes } from './vouchers.ts';

/** By family, as the stack is divided. */
export const families = {
  tokens: tokenRoutes,
  campaigns: campaignRoutes,
  vouchers: voucherRoutes,
  loyalties: loyaltyRoutes,
  customers: customerRoutes,
  promotions: promotionRoutes,
  'loyalty-rewards': loyaltyRewardRoutes,
  assets: assetRoutes,
  management: managementRoutes,
  fallback: fallbackRoutes,
} satisfies Record<string, Routes>;

/** THE routes, by operation. */
export const routes = {
  ...families.tokens,
  ...families.campaigns,
  ...families.vouchers,
  ...families.loyalties,
  ...families.customers,
  ...families.promotions,
  ...families['loyalty-rewards'],
  ...families.assets,
  ...families.management,
  ...families.fallback,
} satisfies Record<string, Route>;

export type Operation = keyof typeof routes;

import { assetRoutes } from './assets.ts';
import { campaignRoutes } from './campaigns.ts';
import { customerRoutes } from './customers.ts';
import { fallbackRoutes } from './fallback.ts';
import { loyaltyRoutes } from './loyalties.ts';
import { loyaltyRewardRoutes } from './loyalty-rewards.ts';
import { managementRoutes } from './management.ts';
import { promotionRoutes } from './promotions.ts';
import type { Route } from './route.ts';
import { tokenRoutes } from './tokens.ts';
import { voucherRoutes } from './vouchers.ts';

/** THE routes, by operation. */
export const routes = {
  ...tokenRoutes,
  ...campaignRoutes,
  ...voucherRoutes,
  ...loyaltyRoutes,
  ...customerRoutes,
  ...promotionRoutes,
  ...loyaltyRewardRoutes,
  ...assetRoutes,
  ...managementRoutes,
  ...fallbackRoutes,
} satisfies Record<string, Route>;

export type Operation = keyof typeof routes;

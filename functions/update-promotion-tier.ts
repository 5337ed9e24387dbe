import { endpoint } from '../lib/http/endpoint.ts';
import { updateTier } from '../lib/promotions/update-tier.ts';
import { promotionRoutes } from '../lib/routes/promotions.ts';

export const handler = endpoint(promotionRoutes, 'update-promotion-tier', (call) =>
  updateTier(call, call.params.promotionTierId, call.body),
);

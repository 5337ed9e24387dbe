import { endpoint } from '../lib/http/endpoint.ts';
import { getTier } from '../lib/promotions/get-tier.ts';
import { promotionRoutes } from '../lib/routes/promotions.ts';

export const handler = endpoint(promotionRoutes, 'get-promotion-tier', (call) =>
  getTier(call, call.params.promotionTierId),
);

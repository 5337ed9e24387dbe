import { endpoint } from '../lib/http/endpoint.ts';
import { listTiers } from '../lib/promotions/list-tiers.ts';
import { promotionRoutes } from '../lib/routes/promotions.ts';

export const handler = endpoint(promotionRoutes, 'list-promotion-tiers', (call) => listTiers(call, call.query));

import { endpoint } from '../lib/http/endpoint.ts';
import { listMemberTiers } from '../lib/loyalty/list-member-tiers.ts';
import { loyaltyRoutes } from '../lib/routes/loyalties.ts';

export const handler = endpoint(loyaltyRoutes, 'list-member-tiers', (call) =>
  listMemberTiers(call, call.params.memberId),
);

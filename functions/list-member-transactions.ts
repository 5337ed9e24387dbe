import { endpoint } from '../lib/http/endpoint.ts';
import { listMemberTransactions } from '../lib/loyalty/list-transactions.ts';
import { loyaltyRoutes } from '../lib/routes/loyalties.ts';

export const handler = endpoint(loyaltyRoutes, 'list-member-transactions', (call) =>
  listMemberTransactions(call, call.params.memberId, call.query),
);

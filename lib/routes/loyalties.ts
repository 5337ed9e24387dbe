import * as v from 'valibot';
import { campaign } from '../campaigns/campaign-reply.ts';
import { pageQuery } from '../lists/page.ts';
import { adjustPendingPointsBody } from '../loyalty/adjust-pending-points.ts';
import { transactionList } from '../loyalty/list-transactions.ts';
import { loyaltyTier } from '../loyalty/loyalty-tier.ts';
import { pendingPointsBalance } from '../loyalty/pending-points.ts';
import { transferBody } from '../loyalty/transfer-points.ts';
import { listOf, text } from '../schema.ts';
import { voucher } from '../vouchers/voucher.ts';
import type { Routes } from './route.ts';

/** The code (or the id) of a loyalty card. */
const memberId = text;

export const loyaltyRoutes = {
  'get-loyalty-campaign': {
    method: 'GET',
    path: '/v1/loyalties/{campaignId}',
    summary: 'Get a loyalty campaign',
    authentication: 'server',
    scope: 'loyalties',
    access: 'read',
    params: v.object({ campaignId: text }),
    reply: { kind: 'json', status: 200, schema: campaign },
    errors: ['not_found'],
  },
  'list-member-tiers': {
    method: 'GET',
    path: '/v1/loyalties/members/{memberId}/tiers',
    summary: "List a member's loyalty tiers",
    authentication: 'server',
    scope: 'loyalties',
    access: 'read',
    params: v.object({ memberId }),
    reply: { kind: 'json', status: 200, schema: listOf(loyaltyTier) },
    errors: ['not_found'],
  },
  'list-member-transactions': {
    method: 'GET',
    path: '/v1/loyalties/members/{memberId}/transactions',
    summary: "List a member's points transactions",
    authentication: 'server',
    scope: 'loyalties',
    access: 'read',
    params: v.object({ memberId }),
    query: v.object(pageQuery),
    reply: { kind: 'json', status: 200, schema: transactionList },
    errors: ['not_found'],
  },
  'transfer-points': {
    method: 'POST',
    path: '/v1/loyalties/{campaignId}/members/{memberId}/transfers',
    summary: 'Transfer loyalty points between cards',
    authentication: 'server',
    scope: 'loyalties',
    access: 'write',
    params: v.object({ campaignId: text, memberId }),
    body: { format: 'json', schema: transferBody },
    reply: { kind: 'json', status: 200, schema: voucher },
    errors: ['not_found', 'voucher_disabled', 'voucher_expired', 'loyalty_card_points_exceeded', 'duplicate_source_id'],
  },
  'adjust-pending-points': {
    method: 'POST',
    path: '/v1/loyalties/members/{memberId}/pending-points/{pendingPointsId}/balance',
    summary: 'Adjust pending points',
    authentication: 'server',
    scope: 'loyalties',
    access: 'write',
    params: v.object({ memberId, pendingPointsId: text }),
    body: { format: 'json', schema: adjustPendingPointsBody },
    reply: { kind: 'json', status: 200, schema: pendingPointsBalance },
    errors: ['not_found', 'invalid_pending_points_state', 'invalid_amount'],
  },
} as const satisfies Routes;

import type { Operation } from '../../lib/routes/index.ts';
import type { Component } from './components.ts';
import replies from './reply-examples.json' with { type: 'json' };
import type { Json } from './schemas.ts';

export interface RequestExample {
  params?: Readonly<Record<string, string>>;
  body?: Json | readonly Json[];
}

/** Requests that the demo project answers. A page prefills them, so that a reader has something to send. */
export const requestExamples: Readonly<Partial<Record<Operation, RequestExample>>> = {
  'issue-token': { body: { grant_type: 'client_credentials', scope: 'vouchers loyalties' } },
  'introspect-token': { body: { access_token: 'ZAte9NWAjgqQ5KAvNX2hbTTFPw77Wuqkaotcxcab6qU' } },
  'revoke-token': { body: { access_token: 'ZAte9NWAjgqQ5KAvNX2hbTTFPw77Wuqkaotcxcab6qU' } },
  'create-campaign': {
    body: {
      name: 'Winter',
      start_date: '2026-12-01T00:00:00Z',
      expiration_date: '2027-02-28T23:59:59Z',
      vouchers_count: 100,
      voucher: {
        discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
        code_config: { pattern: 'WINTER-######' },
      },
      metadata: { channel: 'web' },
    },
  },
  'get-campaign': { params: { campaignId: 'Early tide' } },
  'update-campaign': {
    params: { campaignId: 'Early tide' },
    body: { discount: { type: 'AMOUNT', amount_off: 500 }, metadata: { channel: 'web' } },
  },
  'get-voucher': { params: { code: 'CREW-INGRID' } },
  'list-voucher-transactions': { params: { code: 'CREW-INGRID' } },
  'enable-voucher': { params: { code: 'TIDE-ASLEEP' } },
  'get-loyalty-campaign': { params: { campaignId: 'Harbour Crew' } },
  'list-member-tiers': { params: { memberId: 'CREW-INGRID' } },
  'list-member-transactions': { params: { memberId: 'CREW-INGRID' } },
  'transfer-points': {
    params: { campaignId: 'Harbour Crew', memberId: 'CREW-OLUF' },
    body: [{ code: 'CREW-INGRID', points: 20, source_id: 'till-7-0001', reason: 'A present' }],
  },
  'adjust-pending-points': {
    params: { memberId: 'CREW-OLUF', pendingPointsId: 'lopp_tasting' },
    body: { points: 10 },
  },
  'get-customer': { params: { customerId: 'crm-101' } },
  'list-customer-activities': { params: { customerId: 'crm-101' } },
  'send-event': {
    body: {
      event: 'purchase_made',
      customer: { source_id: 'crm-101' },
      loyalty: { code: 'CREW-INGRID' },
      metadata: { amount: 24900, receipt: 'B-1207' },
    },
  },
  'list-campaign-promotion-tiers': { params: { campaignId: 'Bean basket' } },
  'get-promotion-tier': { params: { promotionTierId: 'promo_two_bags' } },
  'update-promotion-tier': {
    params: { promotionTierId: 'promo_two_bags' },
    body: { banner: 'Two bags of beans: 6 % off', action: { discount: { type: 'PERCENT', percent_off: 6 } } },
  },
  'list-reward-assignments': { params: { campaignId: 'Harbour Crew' } },
  'list-rewards': { params: { campaignId: 'Harbour Crew' } },
  'list-loyalty-tier-rewards': { params: { campaignId: 'Harbour Crew', loyaltyTierId: 'ltr_captain' } },
  'get-brand': { params: { projectId: 'proj_demo', brandingId: 'brd_harbour' } },
  'invite-user': {
    body: {
      email: 'siv@harbourcoffee.example',
      first_name: 'Siv',
      last_name: 'Aune',
      projects: { proj_demo: 'role_barista' },
    },
  },
};

/** What the demo project answered. */
export const replyExamples: Readonly<Partial<Record<Component, Json>>> = replies;

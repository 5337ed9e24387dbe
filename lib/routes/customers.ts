import * as v from 'valibot';
import { customer } from '../customers/customer.ts';
import { activity, listActivitiesQuery } from '../customers/list-activities.ts';
import { eventBody, eventRecord } from '../events/event-body.ts';
import { listOf, text } from '../schema.ts';
import type { Routes } from './route.ts';

/** An id or a source id. */
const params = v.object({ customerId: text });

export const customerRoutes = {
  'get-customer': {
    method: 'GET',
    path: '/v1/customers/{customerId}',
    summary: 'Get a customer',
    authentication: 'server',
    scope: 'customers',
    access: 'read',
    params,
    reply: { kind: 'json', status: 200, schema: customer },
    errors: ['not_found'],
  },
  /**
   * What a page costs: in the order of time, of all activities or those of one campaign, about the page however long the
   * list and deep the cursor; with dates, besides, reading their range for its exact total; by `campaign_type`, `product_id` or
   * in another order, reading the whole range, in bounded memory. A page that one reply can't hold has fewer than `limit`.
   */
  'list-customer-activities': {
    method: 'GET',
    path: '/v1/customers/{customerId}/activities',
    summary: "List a customer's activities",
    authentication: 'server',
    scope: 'customers',
    access: 'read',
    params,
    query: listActivitiesQuery,
    reply: { kind: 'json', status: 200, schema: listOf(activity) },
    errors: ['not_found'],
  },
  'send-event': {
    method: 'POST',
    path: '/v1/events',
    summary: 'Send a custom event',
    authentication: 'server',
    scope: 'events',
    access: 'write',
    body: { format: 'json', schema: eventBody },
    reply: { kind: 'json', status: 200, schema: eventRecord },
    errors: [
      'event_not_defined',
      'metadata_validation_failed',
      'not_found',
      'voucher_disabled',
      'voucher_expired',
      'invalid_amount',
      'invalid_campaign',
    ],
  },
} as const satisfies Routes;

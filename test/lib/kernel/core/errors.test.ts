import { expect, test } from 'vitest';
import { type ErrorKey, errorCatalogue } from '#kernel/core/errors.ts';

/** Public clients compare messages with these. */
const wordsOfClients = {
  invalid_query_params: 'Invalid query params',
  missing_parameters: 'Missing required parameter',
  invalid_validation_rules: 'Invalid Validation Rule Definition',
  resource_protected: 'Resource is protected',
  metadata_validation_failed: 'Metadata validation failed',
  duplicate_source_id: 'Duplicate source_id',
  not_published: 'Voucher is not published',
  voucher_already_published: 'Voucher already published',
  voucher_cannot_be_published: 'Voucher cannot be published',
  no_voucher_suitable_for_publication: "Couldn't find any voucher suitable for publication",
  voucher_disabled: 'voucher is disabled',
  voucher_expired: 'voucher expired',
  voucher_not_active_now: 'voucher not active now',
  voucher_not_active: 'voucher not active',
  promotion_inactive: 'Inactive Promotion',
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  not_found: 'Resource not found',
  missing_customer: 'Missing customer',
  missing_reward: 'Missing reward',
  missing_order_items: 'Missing applicable order items',
  duplicated_redeemables: 'Duplicated redeemables detected',
  loyalty_card_points_exceeded: 'loyalty card points exceeded',
  invalid_payload: 'Invalid payload',
  duplicate_found: 'Duplicated resource found',
  holder_assignement_duplication: 'Customer is already assigned to given redeemable',
} as const satisfies Partial<Record<ErrorKey, string>>;

test.each(Object.entries(wordsOfClients))('%s has the words that clients compare with', (key, message) => {
  expect(Object.entries(errorCatalogue).find(([name]) => name === key)?.[1].message).toBe(message);
});

import { type ErrorKey, errorCatalogue } from '#kernel/core/errors.ts';
import type { Json } from './schemas.ts';

interface ErrorExample {
  details: string;
  resource?: { id: string; type: string };
  related?: { ids: readonly string[]; type: string };
}

/** Describes the one body of every refusal. */
export const errorSchema: Json = {
  type: 'object',
  properties: {
    code: { type: 'integer', description: 'The HTTP status.' },
    key: { type: 'string', enum: Object.keys(errorCatalogue), description: 'Names the situation, for programs.' },
    message: { type: 'string', description: 'The message for people, always the same for a key.' },
    details: { type: 'string', description: 'The place of the fault, the broken rule, and what is allowed.' },
    request_id: { type: 'string', description: "The reply's X-Request-Id, also in the log." },
    resource_id: { type: 'string', description: 'Id of the object of the error, if it is about one object.' },
    resource_type: { type: 'string' },
    related_object_ids: { type: 'array', items: { type: 'string' }, description: 'Up to 100 objects that use it.' },
    related_object_type: { type: 'string' },
    redeemable_id: { type: 'string', description: 'The redeemable that failed, if the request has several.' },
    redeemable_type: { type: 'string' },
    error: {
      type: 'object',
      properties: { message: { type: 'string', description: "The shop's own message of a validation rule." } },
    },
  },
  required: ['code', 'key', 'message', 'details', 'request_id'],
};

/** Gives each error an example of its details and resource, besides the fields of the catalogue. */
const examples: Readonly<Record<ErrorKey, ErrorExample>> = {
  invalid_payload: { details: 'vouchers_count must be at least 0' },
  invalid_query_params: { details: 'limit must be an integer from 1 to 100' },
  missing_parameters: { details: 'the form must have grant_type and scope' },
  invalid_grant_type: { details: 'grant_type must be client_credentials' },
  invalid_scope: { details: 'scope must be names parted by single spaces' },
  invalid_export_fields: {
    details: 'parameters.fields has colour: exports of the kind order have id, source_id, status',
  },
  invalid_campaign: { details: 'the campaign has another type' },
  campaign_type_is_not_supported_by_campaign_template: {
    details: 'a template sets up DISCOUNT_COUPONS or GIFT_VOUCHERS, not LOYALTY_PROGRAM',
    resource: { id: 'camp_crew', type: 'campaign' },
  },
  invalid_voucher: { details: "type must be GIFT_VOUCHER, the type of the campaign's vouchers" },
  duplicate_key: { details: '[3].code is already the code of a voucher' },
  invalid_code_config: { details: 'the pattern has fewer codes than vouchers_count' },
  used_incorrect_role: { details: 'proj_demo has no role role_unknown' },
  user_not_assigned: {
    details: 'the project has no user with this id or login: the list of its users has those that can be removed',
    resource: { id: 'tomas@harbourcoffee.example', type: 'user' },
  },
  last_owner: {
    details: 'the user is the last owner of the project: give another user the role ADMIN first',
    resource: { id: 'user_eLmhTQqZ0mS3AvQbbUdSKw', type: 'user' },
  },
  own_role: {
    details: 'you are the last owner of the project: give another user the role ADMIN first',
    resource: { id: 'user_eLmhTQqZ0mS3AvQbbUdSKw', type: 'user' },
  },
  only_project: {
    details: 'the user has no other project: add the user to another project first',
    resource: { id: 'user_eLmhTQqZ0mS3AvQbbUdSKw', type: 'user' },
  },
  missing_param: { details: 'expiration_date is required, with the expiration_type CUSTOM_DATE' },
  invalid_expiration_date: { details: 'expiration_date must be 2035-01-01 or later' },
  invalid_balance: { details: 'parameters.campaign.balance must be 1 or more for a campaign of GIFT_VOUCHERS' },
  invalid_amount: { details: 'points must leave more than 0' },
  invalid_pending_points_state: { details: 'the pending points are ACTIVATED' },
  loyalty_card_points_exceeded: { details: 'the card has 100 points, the transfer needs 200' },
  gift_amount_exceeded: {
    details: 'amount removes 5000 from a balance of 1200',
    resource: { id: 'GIFT-1', type: 'voucher' },
  },
  duplicate_source_id: { details: 'till-7-0815 has moved other points, or to another card' },
  not_published: {
    details: 'the loyalty card has no holder: assign a customer first',
    resource: { id: 'CREW-OLUF', type: 'voucher' },
  },
  voucher_disabled: { details: 'the voucher is switched off', resource: { id: 'CREW-OLUF', type: 'voucher' } },
  loyalty_card_not_active: { details: 'customer must have a card of the programme that can be used' },
  campaign_not_allow_auto_join: {
    details: 'customer must be a member of the programme, for it has no auto_join',
  },
  campaign_not_active: { details: 'the campaign is switched off', resource: { id: 'camp_crew', type: 'campaign' } },
  voucher_not_active: {
    details: 'the voucher begins at 2035-01-01T00:00:00.000Z',
    resource: { id: 'CREW-OLUF', type: 'voucher' },
  },
  voucher_expired: {
    details: 'the voucher ended at 2025-12-31T23:59:59.000Z',
    resource: { id: 'CREW-OLUF', type: 'voucher' },
  },
  voucher_not_active_now: {
    details: "the voucher can't be used on this day of the week",
    resource: { id: 'CREW-OLUF', type: 'voucher' },
  },
  promotion_inactive: {
    details: 'the promotion tier is switched off',
    resource: { id: 'promo_two_bags', type: 'promotion_tier' },
  },
  promotion_not_active_now: {
    details: "the promotion tier can't be used on this day of the week",
    resource: { id: 'promo_two_bags', type: 'promotion_tier' },
  },
  quantity_exceeded: { details: 'TEA-50', resource: { id: 'rf_0h2f5yq1k', type: 'redemption' } },
  customer_rules_violated: {
    details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_members',
  },
  order_rules_violated: {
    details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_two_bags',
  },
  redemption_rules_violated: {
    details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_first_hundred',
  },
  cards_of_one_programme: {
    details: 'CARD-2: the other customer also has a card of its programme. Send move_points: true',
  },
  referrer_not_permitted_to_redeem: { details: 'MATE-INGRID' },
  missing_amount: { details: 'order must have an amount, or items with prices' },
  missing_order: { details: 'order is required' },
  missing_order_items: { details: 'order.items must not be empty' },
  missing_order_items_amount: { details: 'order.items must have a line with a price or an amount' },
  missing_customer: { details: 'Customer is required to validate rules' },
  ambiguous_tracking_id: { details: 'tracking_id is not of the customer; send one of them, or both of one person' },
  missing_reward: { details: 'redeemables[0].reward.id must say what the points are for' },
  reward_stock_exceeded: { details: 'all 25 units of the reward are given out' },
  invalid_customer: { details: 'the customer does not hold the loyalty card' },
  invalid_order: { details: 'order must be the order of the redemption' },
  duplicated_redeemables: { details: 'redeemables[2].id repeats redeemables[0].id' },
  invalid_redeemables: { details: 'redeemables[0] is a promotion stack, which must be alone' },
  no_applicable_redeemables: { details: 'none of the redeemables can be used' },
  multiple_requests: { details: 'another request redeems on this order: try again after it has ended' },
  return_exceeds_order: { details: 'amount is more than is left of the order: it has an amount of 900' },
  order_canceled: { details: 'the redemptions of the order were rolled back, so it has nothing left to return' },
  return_exists: { details: 'source_id belongs to the return ret_1 of the order, which had another body' },
  already_rolled_back: {
    details: 'r_1 was rolled back before',
    resource: { id: 'rrf_1', type: 'redemption_rollback' },
  },
  invalid_redemption: {
    details: 'r_1 is older than 3 months',
    resource: { id: 'rrf_1', type: 'redemption_rollback' },
  },
  invalid_redemption_parent: {
    details: 'r_1 is one of several: roll back r_2',
    resource: { id: 'rrf_1', type: 'redemption_rollback' },
  },
  event_not_defined: { details: 'the event schema has no event purchase_mad' },
  metadata_validation_failed: { details: 'metadata.amount must be a number' },
  missing_vouchers: { details: 'voucher or campaign must say what is published' },
  too_many_vouchers_requested: { details: 'campaign.count must be 1: a source_id is of a publication of one voucher' },
  voucher_already_published: {
    details: 'the voucher has a holder',
    resource: { id: 'MATE-INGRID', type: 'voucher' },
  },
  voucher_cannot_be_published: { details: 'the customer has a voucher of the campaign, and gets no other' },
  no_voucher_suitable_for_publication: {
    details: 'the campaign has no active voucher that was never published, and makes none by itself',
  },
  invalid_validation_rules: { details: 'rules.1.conditions.$more_than must be a number' },
  resource_protected: {
    details: 'All Products exists in every project, and cannot be changed or deleted',
    resource: { id: 'pc_a11pr0dUc75', type: 'products_collection' },
  },
  resource_in_use: {
    details: 'the collection is named by validation rules',
    resource: { id: 'pc_dear', type: 'products_collection' },
    related: { ids: ['val_two_bags'], type: 'validation_rules' },
  },
  too_many_resources: { details: 'a project has at most 100 of the kind products_collection' },
  invalid_path_params: { details: 'the path must be percent-encoded UTF-8' },
  invalid_idempotency_key: { details: 'Idempotency-Key must have 1 to 255 characters' },
  report_too_large: {
    details:
      'the query would read more facts than a query of this deployment may: ask for fewer days, or for one campaign_id',
  },
  unauthorized: { details: 'X-App-Id and X-App-Token must name an active app key and its token' },
  forbidden: {
    details: 'the referrer of a code stays its holder',
    resource: { id: 'rh_0mlupxz40000uF3wqZ8yRk2bT7nVxC1sDg', type: 'redeemable_holder' },
  },
  client_side_disabled: { details: 'the project does not let browsers do this: its switch client.publication is off' },
  reports_disabled: {
    details: 'this deployment keeps no facts: start the server with a DATA_DIR, or deploy with --reports on',
  },
  insufficient_scope: { details: 'the token needs the scope api or vouchers' },
  not_found: { details: 'no voucher has this id, code or name', resource: { id: 'NOPE', type: 'voucher' } },
  method_not_allowed: { details: 'this path accepts GET' },
  report_canceled: { details: 'the query was canceled in Athena: request the report again' },
  duplicate_found: { details: 'another campaign has this name', resource: { id: 'Harvest', type: 'campaign' } },
  points_close_open: {
    details: 'the close close_0mh2 is IN_PROGRESS: ask for it until it is DONE, or delete it',
    resource: { id: 'close_0mh2', type: 'points_close' },
  },
  points_close_followed: {
    details: 'the close close_0mh9 follows: delete the later closes first, beginning with the last',
    resource: { id: 'close_0mh2', type: 'points_close' },
  },
  stacking_rules_exist: {
    details: 'the project already has stacking rules: change or delete them',
    resource: { id: 'proj_demo', type: 'project' },
  },
  branding_exist: {
    details: 'the project has a brand configuration: change or delete it',
    resource: { id: 'brd_harbour', type: 'branding_details' },
  },
  holder_assignement_duplication: {
    details: 'holders[0] is a holder of the voucher already',
    resource: { id: 'cust_oluf', type: 'customer' },
  },
  idempotency_key_in_use: { details: 'the first request is still running: send it again after Retry-After' },
  idempotency_key_reused: { details: 'the key belongs to another method, path, query or body' },
  idempotency_reply_lost: { details: 'the reply is lost: read the resource to see the outcome' },
  payload_too_large: { details: 'the body must have at most 4194304 bytes' },
  unsupported_media_type: { details: 'the body must be sent as application/json' },
  misdirected_request: {
    details: 'the Host header must be one of localhost, 127.0.0.1, [::1], with any port; ALLOWED_HOSTS names more',
  },
  too_many_requests: { details: 'the table has no capacity at the moment. Nothing was changed: try again' },
  request_header_fields_too_large: {
    details:
      'the request line and the headers must have at most 16384 bytes together: shorten the query or send fewer headers',
  },
  internal_error: { details: 'try again; if it lasts, report the request id' },
  outcome_unknown: { details: 'it may have been carried out: repeat it with its Idempotency-Key, or read first' },
};

/** Builds the error bodies by key, each once for all operations. */
export function buildErrorExamples(keys: readonly ErrorKey[]): Json {
  return Object.fromEntries([...new Set(keys)].sort().map((key) => [key, { summary: key, value: bodyOf(key) }]));
}

function bodyOf(key: ErrorKey): Json {
  const { status, message } = errorCatalogue[key];
  const { details, resource, related } = examples[key];
  return {
    code: status,
    key,
    message,
    details,
    request_id: '495dd2a7-b423-41e9-ae27-a8876a7ed673',
    ...(resource ? { resource_id: resource.id, resource_type: resource.type } : {}),
    ...(related ? { related_object_ids: related.ids, related_object_type: related.type } : {}),
  };
}

import type { Operation } from '../../lib/routes/index.ts';

/** What path parameters stand for, by name. */
export const parameters: Readonly<Record<string, string>> = {
  assetId: 'The encrypted id that a voucher names under `assets`.',
  campaignId: 'Id or name of the campaign; an id wins over a name.',
  code: 'Code or id of the voucher, percent-encoded once; a code wins over an id.',
  customerId: 'Id or source id of the customer; an id wins over a source id.',
  loyaltyTierId: 'Id of the loyalty tier.',
  memberId: 'Code of the loyalty card.',
  pendingPointsId: 'Id of the pending points.',
  promotionTierId: 'Id of the promotion tier.',
  projectId: 'Id of the project.',
  brandingId: 'Id of the brand configuration.',
};

/** What query parameters do, by name. */
export const queries: Readonly<Record<string, string>> = {
  limit: 'How many items the page has at most.',
  page: 'Which page, counted from 1; one past the end is empty.',
  order: 'By which field; a leading dash means descending.',
  is_available: 'Only tiers that can be used now, or only those that cannot.',
  assignmentId: 'Only the reward assignment with this id.',
  starting_after: 'Only activities after this moment, in the direction of the order.',
  starting_after_id: 'Only activities behind the one with this id. Not together with `starting_after`.',
  campaign_type: 'Only activities about campaigns of this kind.',
  campaign_id: 'Only activities about this campaign.',
  product_id: 'Only activities about this product.',
  start_date: 'Only activities from this moment on.',
  end_date: 'Only activities up to this moment; not before `start_date`.',
};

export const tags: Readonly<Record<string, string>> = {
  oauth: 'Bearer tokens. Called with the two app headers.',
  campaigns: 'Campaigns, and the generation of their codes.',
  vouchers: 'Vouchers, gift cards and loyalty cards.',
  loyalties: 'Loyalty programmes: points, tiers and rewards.',
  customers: 'Customers, and what they did.',
  events: 'What client systems report.',
  promotions: 'Promotion tiers.',
  assets: 'Pictures of voucher codes, for anyone who has their address.',
  management: 'For operators. Guarded as the deployment says.',
};

/** What a caller has to know beyond shapes. */
export const notes: Readonly<Partial<Record<Operation, string>>> = {
  'create-campaign':
    'Answers at once; the codes are generated behind it, and the statuses tell how far that is. ' +
    '`category` and `category_id` exclude each other, `expiration_date` is not before `start_date`, and a ' +
    '`validity_timeframe` needs a `start_date`. An empty object creates a campaign with one code.',
  'update-campaign':
    'Changes what is sent; `null` clears. `metadata` is merged by key, and `unset_metadata_fields` removes keys after it. ' +
    'All vouchers of the campaign show the change at once.',
  'update-promotion-tier': 'Changes what is sent; `null` clears. `validation_rule_assignments` replaces all of them.',
  'enable-voucher': 'A body is ignored.',
  'get-voucher': 'With what it inherits from its campaign.',
  'transfer-points':
    'All entries or none. A `source_id` is used up for its source card: sent again with the same points and destination ' +
    'it moves nothing and answers with the card as it is.',
  'adjust-pending-points': '`points` is added to what is pending, and must leave more than 0.',
  'list-member-tiers': 'The tier that the card is in, or none.',
  'list-customer-activities': 'Newest first unless `order` says otherwise. Walk it with `starting_after_id`.',
  'list-rewards': 'The same list as under `/reward-assignments`.',
  'send-event':
    'The event and its metadata are as the event schema of the project has them. A customer with an unknown `source_id` ' +
    'is created. `loyalty` credits the card by the earning rules of its campaign; `referral` counts a conversion.',
  'introspect-token': 'Of a token that is not there, or of another project, only that it is not active.',
  'revoke-token': 'The token stops within 60 seconds.',
  'get-qr-asset': 'SVG, or PNG when `Accept` asks for it alone.',
  'get-barcode-asset': 'SVG, or PNG when `Accept` asks for it alone.',
  'invite-user': 'All projects or none. A repeated invitation renews it, with its roles.',
};

/**
 * Lists all error keys. Situations that a caller must treat differently never share a key.
 * `message` is for human readers, and repeats nothing from the request.
 */
export const errorCatalogue = {
  invalid_payload: { status: 400, message: 'Invalid payload' },
  invalid_query_params: { status: 400, message: 'Invalid query params' },
  missing_parameters: { status: 400, message: 'Missing required parameter' },
  invalid_grant_type: { status: 400, message: 'The grant type is not supported.' },
  invalid_scope: { status: 400, message: 'The scope is not valid.' },
  invalid_export_fields: { status: 400, message: 'The export names a field that its object does not have.' },
  invalid_campaign: { status: 400, message: 'The campaign does not allow this change.' },
  campaign_type_is_not_supported_by_campaign_template: {
    status: 400,
    message: 'Templates do not support campaigns of this type.',
  },
  invalid_voucher: { status: 400, message: "The voucher's fields contradict each other." },
  duplicate_key: { status: 400, message: 'A code is used already, or is sent twice.' },
  invalid_code_config: { status: 400, message: 'The code configuration is not valid.' },
  used_incorrect_role: { status: 400, message: 'A role does not exist in its project.' },
  user_not_assigned: { status: 400, message: 'The user is not assigned to the project.' },
  last_owner: { status: 400, message: 'A project keeps its last owner.' },
  own_role: { status: 400, message: 'Users cannot remove their own role of an owner.' },
  only_project: { status: 400, message: "A user's only project cannot be taken away." },
  missing_param: { status: 400, message: 'Missing required parameter' },
  invalid_expiration_date: { status: 400, message: 'The expiration date has passed.' },
  invalid_balance: { status: 400, message: 'The balance does not fit the type of the voucher.' },
  invalid_amount: { status: 400, message: 'The amount is not valid.' },
  invalid_pending_points_state: { status: 400, message: 'The points are no longer pending.' },
  loyalty_card_points_exceeded: { status: 400, message: 'loyalty card points exceeded' },
  gift_amount_exceeded: { status: 400, message: 'The gift card has not enough credits.' },
  not_published: { status: 400, message: 'Voucher is not published' },
  duplicate_source_id: { status: 400, message: 'Duplicate source_id' },
  voucher_disabled: { status: 400, message: 'voucher is disabled' },
  loyalty_card_not_active: { status: 400, message: 'The loyalty card cannot be used.' },
  campaign_not_allow_auto_join: { status: 400, message: 'Customers cannot join this campaign automatically.' },
  campaign_not_active: { status: 400, message: 'The campaign is not active.' },
  voucher_not_active: { status: 400, message: 'voucher not active' },
  voucher_expired: { status: 400, message: 'voucher expired' },
  voucher_not_active_now: { status: 400, message: 'voucher not active now' },
  promotion_inactive: { status: 400, message: 'Inactive Promotion' },
  promotion_not_active_now: { status: 400, message: 'The promotion tier is not active at this time.' },
  quantity_exceeded: { status: 400, message: 'quantity exceeded' },
  customer_rules_violated: { status: 400, message: 'customer does not match validation rules' },
  order_rules_violated: { status: 400, message: 'order does not match validation rules' },
  redemption_rules_violated: { status: 400, message: 'redemption does not match validation rules' },
  cards_of_one_programme: { status: 400, message: 'Both customers have a card of one programme.' },
  referrer_not_permitted_to_redeem: { status: 400, message: 'voucher cannot be redeemed by referrer' },
  missing_amount: { status: 400, message: 'Amount is required' },
  missing_order: { status: 400, message: 'Order is required' },
  missing_order_items: { status: 400, message: 'Missing applicable order items' },
  missing_order_items_amount: { status: 400, message: 'Order items with amounts are required' },
  missing_customer: { status: 400, message: 'Missing customer' },
  ambiguous_tracking_id: { status: 400, message: 'Ambiguous tracking id' },
  missing_reward: { status: 400, message: 'Missing reward' },
  reward_stock_exceeded: { status: 400, message: 'The reward is out of stock.' },
  invalid_customer: { status: 400, message: 'Invalid customer' },
  invalid_order: { status: 400, message: 'Invalid order' },
  duplicated_redeemables: { status: 400, message: 'Duplicated redeemables detected' },
  invalid_redeemables: { status: 400, message: 'Invalid redeemables' },
  no_applicable_redeemables: { status: 400, message: 'No applicable redeemables' },
  multiple_requests: { status: 400, message: 'Multiple requests' },
  already_rolled_back: { status: 400, message: 'Already rolled back' },
  return_exceeds_order: { status: 400, message: 'The order has fewer units left.' },
  order_canceled: { status: 400, message: 'The order is canceled.' },
  return_exists: { status: 409, message: 'Another return of the order has this source_id.' },
  invalid_redemption: { status: 400, message: 'Invalid redemption' },
  invalid_redemption_parent: { status: 400, message: 'Invalid redemption parent' },
  event_not_defined: { status: 400, message: 'The event is not defined in the event schema of the project.' },
  metadata_validation_failed: { status: 400, message: 'Metadata validation failed' },
  missing_vouchers: { status: 400, message: 'The request names neither a voucher nor a campaign.' },
  too_many_vouchers_requested: { status: 400, message: 'Only one voucher can be published this way.' },
  voucher_already_published: { status: 400, message: 'Voucher already published' },
  voucher_cannot_be_published: { status: 400, message: 'Voucher cannot be published' },
  no_voucher_suitable_for_publication: { status: 400, message: "Couldn't find any voucher suitable for publication" },
  invalid_validation_rules: { status: 400, message: 'Invalid Validation Rule Definition' },
  resource_in_use: { status: 400, message: 'Resource in use' },
  resource_protected: { status: 400, message: 'Resource is protected' },
  too_many_resources: { status: 400, message: 'The project has reached the limit of these resources.' },
  invalid_path_params: { status: 400, message: 'The path is not valid.' },
  invalid_idempotency_key: { status: 400, message: 'The idempotency key is not valid.' },
  report_too_large: { status: 400, message: 'The report would read too many facts.' },
  unauthorized: { status: 401, message: 'Unauthorized' },
  forbidden: { status: 403, message: 'Forbidden' },
  client_side_disabled: { status: 403, message: 'Client-side calls of this kind are disabled' },
  reports_disabled: { status: 403, message: 'Reports are not switched on in this deployment.' },
  insufficient_scope: { status: 403, message: 'The token lacks a scope for this path.' },
  not_found: { status: 404, message: 'Resource not found' },
  method_not_allowed: { status: 405, message: 'The path does not support this method.' },
  report_canceled: { status: 409, message: 'The query of the report was canceled.' },
  duplicate_found: { status: 409, message: 'Duplicated resource found' },
  points_close_open: { status: 409, message: 'The last close of the programme is not done.' },
  points_close_followed: { status: 409, message: 'The programme has a later close.' },
  stacking_rules_exist: { status: 409, message: 'Stacking rules exist' },
  branding_exist: { status: 409, message: 'Branding exists' },
  /** Spelt so in the public interface. */
  holder_assignement_duplication: { status: 409, message: 'Customer is already assigned to given redeemable' },
  idempotency_key_in_use: { status: 409, message: 'The first request with this idempotency key is still running.' },
  idempotency_key_reused: { status: 409, message: 'The idempotency key was used for another request.' },
  idempotency_reply_lost: {
    status: 409,
    message: 'The first request with this idempotency key took effect, but its reply was lost.',
  },
  payload_too_large: { status: 413, message: 'The request body is too large.' },
  unsupported_media_type: { status: 415, message: 'The endpoint does not support the content type of the body.' },
  misdirected_request: { status: 421, message: 'The request was meant for another host.' },
  too_many_requests: { status: 429, message: 'Too many requests.' },
  request_header_fields_too_large: { status: 431, message: 'The request line or the headers are too long.' },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
  outcome_unknown: { status: 500, message: 'The outcome of the request is unknown.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorKey = keyof typeof errorCatalogue;

/** Messages that replace a key's own when a gift card is refused. */
export const giftCardMessages: Readonly<Partial<Record<ErrorKey, string>>> = {
  missing_amount: 'Amount is required when redeeming a GIFT_VOUCHER',
};

interface ErrorOptions {
  /** Names the place, the broken rule and what is allowed. `joinFaults` joins several faults. */
  details: string;
  /** The resource that the error is about. */
  resource?: { id: string; type: string };
  /** Resources that prevent the change, such as those that need the resource. */
  related?: { ids: readonly string[]; type: string };
  /** The redeemable that makes a checkout fail. */
  redeemable?: { id: string; type: string } | undefined;
  /** Replaces the key's message. */
  text?: string | undefined;
  /** The shop's own message for buyers. */
  words?: string | undefined;
  headers?: Record<string, string>;
  /** Distinguishes situations with the same key in the log. */
  reason?: RefusalReason;
}

/**
 * The reasons of a refusal: the table lacks capacity, others change the same resource, or a caller or a project's till makes too many
 * calls.
 */
export type RefusalReason = 'capacity' | 'conflict' | 'rate' | 'project_rate';

/** Limits the faults that an error names. */
export const maxFaults = 100;
/** Limits the length of a fault. It may name all fields of a filter, and places in a body have the caller's own keys. */
const maxFaultLength = 1_500;

function cut(text: string): string {
  return text.length > maxFaultLength ? `${text.slice(0, maxFaultLength).toWellFormed()}…` : text;
}

/** Joins all faults into an error's details. */
export function joinFaults(faults: readonly string[]): string {
  const named = faults.slice(0, maxFaults).map(cut);
  const left = faults.length - named.length;
  return [...named, ...(left > 0 ? [`and ${left} more`] : [])].join('; ');
}

/** An error that the caller gets. Any other error is answered as a 500 without details. */
export class ServiceError extends Error {
  readonly key: ErrorKey;
  readonly details: string;
  readonly resource: { id: string; type: string } | undefined;
  readonly related: { ids: readonly string[]; type: string } | undefined;
  readonly redeemable: { id: string; type: string } | undefined;
  readonly text: string | undefined;
  readonly words: string | undefined;
  readonly headers: Record<string, string>;
  readonly reason: RefusalReason | undefined;

  constructor(
    key: ErrorKey,
    { details, resource, related, redeemable, text, words, headers = {}, reason }: ErrorOptions,
  ) {
    super(key);
    this.key = key;
    this.details = details;
    this.resource = resource;
    this.related = related;
    this.redeemable = redeemable;
    this.text = text;
    this.words = words;
    this.headers = headers;
    this.reason = reason;
  }
}

/** Names by which a path accepts a resource, besides its id. */
const otherNames: Readonly<Record<string, string>> = {
  campaign: ' or name',
  voucher: ' or code',
  loyalty_card: ' or code',
  category: ' or name',
  customer: ' or source_id',
  order: ' or source_id',
  product: ' or source_id',
  sku: ' or source_id',
};

/**
 * Returns the same 404 for an unknown resource and for a resource of another project. `why` explains what happened to a
 * resource that existed.
 */
export function notFound(type: string, id: string, why?: string): ServiceError {
  const noun = type === 'validation_rules' ? 'validation rule' : type.replaceAll(/[_-]/g, ' ');
  const details = why ?? `no ${noun} has this id${otherNames[type] ?? ''}`;
  return new ServiceError('not_found', { details, resource: { id, type } });
}

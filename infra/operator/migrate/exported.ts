/** Names the exports of a source, with their fields. */

export const exported = {
  customers: {
    object: 'customer',
    fields: [
      ...['id', 'source_id', 'name', 'description', 'email', 'phone', 'birthday', 'birthdate', 'metadata'],
      ...[
        'address_city',
        'address_state',
        'address_line_1',
        'address_line_2',
        'address_country',
        'address_postal_code',
      ],
      ...['redemptions_total_redeemed', 'redemptions_total_failed', 'redemptions_total_succeeded'],
      ...['redemptions_total_rolled_back', 'redemptions_total_rollback_failed', 'redemptions_total_rollback_succeeded'],
      ...['orders_total_amount', 'orders_total_count', 'orders_average_amount', 'orders_last_order_amount'],
      ...['orders_last_order_date', 'loyalty_referred_customers', 'created_at', 'updated_at'],
    ],
    more: ['summary', 'loyalty', 'referrals', 'system_metadata'],
  },
  vouchers: {
    object: 'voucher',
    fields: [
      ...['code', 'id', 'voucher_type', 'value', 'discount_type', 'formula', 'campaign', 'campaign_id', 'category'],
      ...['start_date', 'expiration_date', 'validity_timeframe_interval', 'validity_timeframe_duration'],
      ...['validity_day_of_week', 'gift_balance', 'loyalty_balance', 'redemption_quantity', 'redemption_count'],
      ...['active', 'metadata', 'is_referral_code', 'created_at', 'updated_at', 'discount_amount_limit'],
      ...['additional_info', 'customer_id', 'discount_effect', 'discount_unit_type', 'discount_unit_effect'],
      'validation_rules_id',
    ],
    more: [
      ...['discount_units', 'discount_aggregated_amount_limit', 'gift_effect', 'redeemed_amount', 'redeemed_points'],
      ...['expired_points', 'publish_count', 'publication_ids', 'validity_hours', 'loyalty_lots'],
    ],
  },
  publications: {
    object: 'publication',
    fields: ['voucher_code', 'customer_id', 'customer_source_id', 'date', 'channel', 'campaign', 'metadata'],
    more: ['id', 'source_id', 'failure_code', 'failure_message'],
  },
  orders: {
    object: 'order',
    fields: [
      ...['id', 'source_id', 'status', 'amount', 'discount_amount', 'items_discount_amount', 'total_discount_amount'],
      ...['total_amount', 'customer_id', 'referrer_id', 'metadata', 'created_at', 'updated_at'],
    ],
    more: ['items', 'redemptions', 'initial_amount'],
  },
  redemptions: {
    object: 'redemption',
    fields: [
      ...['id', 'object', 'voucher_code', 'customer_id', 'date', 'result', 'campaign', 'promotion_tier_id'],
      ...['tracking_id', 'order_id', 'order_amount', 'gift_amount', 'loyalty_points', 'failure_code'],
      ...['failure_message', 'metadata'],
    ],
  },
  rolled_back: {
    object: 'redemption',
    fields: ['id', 'metadata'],
    filters: { status: { conditions: { $is: 'ROLLED_BACK' } } },
  },
  transactions: {
    object: 'voucher_transactions',
    fields: [
      ...['id', 'campaign_id', 'voucher_id', 'type', 'source_id', 'reason', 'source', 'balance', 'amount'],
      ...['related_transaction_id', 'created_at', 'details'],
    ],
  },
} as const;

/** Needed only if the file of vouchers has no lots. */
export const expirations = {
  object: 'points_expiration',
  fields: ['id', 'campaign_id', 'voucher_id', 'status', 'expires_at', 'points'],
};

-- Redemptions, discount, credits, points and redeemed orders of a range, by one dimension.
WITH events AS (
  SELECT
    CASE $by
      WHEN 'day' THEN local_day(at_ms, $timezone)
      WHEN 'campaign' THEN campaign_id
      WHEN 'promotion_tier' THEN CASE WHEN redeemable_type = 'promotion_tier' THEN redeemable_id END
      WHEN 'code' THEN code
      WHEN 'voucher_type' THEN voucher_type
      WHEN 'channel' THEN channel_type
      WHEN 'customer' THEN customer_id
      WHEN 'failure' THEN failure_code
    END AS group_key,
    CASE WHEN $by = 'campaign' THEN campaign_name END AS name,
    event, result, request_id, redemption_id, uses,
    discount_minor, credits_minor, points, order_amount_minor, order_total_minor
  FROM redemptions
  WHERE at_ms >= $from_ms AND at_ms < $to_ms
    AND ($campaign_id IS NULL OR campaign_id = $campaign_id)
    AND ($by <> 'failure' OR result = 'FAILURE')
),
-- The rest is parts/redeemed-sums.sql.

-- Redemptions by the segments that keep the customer now. A redemption counts in each of them.
WITH member_states AS (
  SELECT segment_id, customer_id, is_deleted, ROW_NUMBER() OVER (PARTITION BY member_id ORDER BY version DESC) AS age
  FROM segment_members
),
segment_states AS (
  SELECT segment_id, name, is_deleted, ROW_NUMBER() OVER (PARTITION BY segment_id ORDER BY version DESC) AS age
  FROM segments
),
kept AS (
  SELECT member_states.customer_id, segment_states.segment_id, segment_states.name
  FROM member_states JOIN segment_states ON segment_states.segment_id = member_states.segment_id
  WHERE member_states.age = 1 AND segment_states.age = 1
    AND NOT member_states.is_deleted AND NOT segment_states.is_deleted
),
events AS (
  SELECT
    kept.segment_id AS group_key, kept.name,
    redemptions.event, redemptions.result, redemptions.request_id, redemptions.redemption_id, redemptions.uses,
    redemptions.discount_minor, redemptions.credits_minor, redemptions.points,
    redemptions.order_amount_minor, redemptions.order_total_minor
  FROM redemptions LEFT JOIN kept ON kept.customer_id = redemptions.customer_id
  WHERE redemptions.at_ms >= $from_ms AND redemptions.at_ms < $to_ms
    AND ($campaign_id IS NULL OR redemptions.campaign_id = $campaign_id)
),
-- Keep events: the joins free their memory before the sums begin.
-- The rest is parts/redeemed-sums.sql.

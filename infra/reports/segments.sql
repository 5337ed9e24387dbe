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
    redemptions.event, redemptions.request_id, redemptions.uses, redemptions.discount_minor, redemptions.credits_minor,
    redemptions.points, redemptions.order_amount_minor, redemptions.order_total_minor
  FROM redemptions LEFT JOIN kept ON kept.customer_id = redemptions.customer_id
  WHERE redemptions.at_ms >= $from_ms AND redemptions.at_ms < $to_ms
    AND redemptions.result = 'SUCCESS'
    AND ($campaign_id IS NULL OR redemptions.campaign_id = $campaign_id)
),
-- Several redemptions of one request share an order, which counts once for each group.
requests AS (
  SELECT
    group_key,
    CASE WHEN event = 'REDEMPTION' THEN request_id END AS order_request_id,
    MAX(name) AS name,
    SUM(CASE WHEN event = 'REDEMPTION' THEN 1 ELSE 0 END) AS redemptions,
    SUM(CASE WHEN event = 'ROLLBACK' THEN 1 ELSE 0 END) AS rollbacks,
    SUM(uses) AS uses,
    SUM(discount_minor) AS discount_minor,
    SUM(credits_minor) AS credits_minor,
    SUM(points) AS points,
    MAX(order_amount_minor) AS order_amount_minor,
    MAX(order_total_minor) AS order_total_minor
  FROM events
  GROUP BY 1, 2
),
sums AS (
  SELECT
    group_key,
    MAX(name) AS name,
    CAST(SUM(redemptions) AS BIGINT) AS redemptions,
    CAST(SUM(rollbacks) AS BIGINT) AS rollbacks,
    CAST(SUM(uses) AS BIGINT) AS uses,
    CAST(SUM(discount_minor) AS BIGINT) AS discount_minor,
    CAST(SUM(credits_minor) AS BIGINT) AS credits_minor,
    CAST(SUM(points) AS BIGINT) AS points,
    CAST(SUM(CASE WHEN order_request_id IS NOT NULL AND order_amount_minor IS NOT NULL THEN 1 ELSE 0 END) AS BIGINT) AS orders,
    CAST(COALESCE(SUM(CASE WHEN order_request_id IS NOT NULL THEN order_amount_minor END), 0) AS BIGINT) AS orders_amount_minor,
    CAST(COALESCE(SUM(CASE WHEN order_request_id IS NOT NULL THEN order_total_minor END), 0) AS BIGINT) AS orders_total_minor
  FROM requests
  GROUP BY group_key
)
SELECT *
FROM sums
ORDER BY
  CASE $order WHEN '-discount_minor' THEN -discount_minor WHEN '-uses' THEN -uses ELSE 0 END,
  group_key NULLS LAST
OFFSET $offset LIMIT $most

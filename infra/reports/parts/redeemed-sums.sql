-- Sums events of redemptions by their groups, less rollbacks.
-- The redemptions of one request share an order, and are rolled back together. Each group counts the order once, in its
-- state after the last redemption. The ids of a request's redemptions sort by their application to the order.
last_states AS (
  SELECT
    request_id,
    event,
    MAX_BY(order_amount_minor, redemption_id) AS order_amount_minor,
    MAX_BY(order_total_minor, redemption_id) AS order_total_minor
  FROM redemptions
  WHERE at_ms >= $from_ms AND at_ms < $to_ms
    AND result = 'SUCCESS' AND request_id <> redemption_id AND order_amount_minor IS NOT NULL
  GROUP BY request_id, event
),
shared_orders AS (
  SELECT DISTINCT group_key, request_id, event
  FROM events
  WHERE result = 'SUCCESS' AND request_id <> redemption_id AND order_amount_minor IS NOT NULL
),
figures AS (
  SELECT
    group_key, name,
    CASE WHEN event = 'REDEMPTION' AND result = 'SUCCESS' THEN 1 ELSE 0 END AS redemptions,
    CASE WHEN event = 'ROLLBACK' AND result = 'SUCCESS' THEN 1 ELSE 0 END AS rollbacks,
    CASE WHEN event = 'REDEMPTION' AND result = 'FAILURE' THEN 1 ELSE 0 END AS failures,
    CASE WHEN event = 'ROLLBACK' AND result = 'FAILURE' THEN 1 ELSE 0 END AS failed_rollbacks,
    uses, discount_minor, credits_minor, points,
    CASE WHEN request_id = redemption_id AND order_amount_minor IS NOT NULL THEN uses ELSE 0 END AS orders,
    CASE WHEN request_id = redemption_id THEN order_amount_minor END AS order_amount_minor,
    CASE WHEN request_id = redemption_id THEN order_total_minor END AS order_total_minor
  FROM events
  UNION ALL
  SELECT
    shared_orders.group_key, NULL AS name,
    0 AS redemptions, 0 AS rollbacks, 0 AS failures, 0 AS failed_rollbacks,
    0 AS uses, 0 AS discount_minor, 0 AS credits_minor, 0 AS points,
    CASE WHEN shared_orders.event = 'ROLLBACK' THEN -1 ELSE 1 END AS orders,
    last_states.order_amount_minor, last_states.order_total_minor
  FROM shared_orders JOIN last_states
    ON last_states.request_id = shared_orders.request_id AND last_states.event = shared_orders.event
),
sums AS (
  SELECT
    group_key,
    MAX(name) AS name,
    CAST(SUM(redemptions) AS BIGINT) AS redemptions,
    CAST(SUM(rollbacks) AS BIGINT) AS rollbacks,
    CAST(SUM(failures) AS BIGINT) AS failures,
    CAST(SUM(failed_rollbacks) AS BIGINT) AS failed_rollbacks,
    CAST(SUM(uses) AS BIGINT) AS uses,
    CAST(SUM(discount_minor) AS BIGINT) AS discount_minor,
    CAST(SUM(credits_minor) AS BIGINT) AS credits_minor,
    CAST(SUM(points) AS BIGINT) AS points,
    CAST(SUM(orders) AS BIGINT) AS orders,
    CAST(COALESCE(SUM(order_amount_minor), 0) AS BIGINT) AS orders_amount_minor,
    CAST(COALESCE(SUM(order_total_minor), 0) AS BIGINT) AS orders_total_minor
  FROM figures
  GROUP BY group_key
)
-- The order is outside of the sums. Athena takes a name in ORDER BY for the sum of that name, and refuses a sum of sums.
SELECT *
FROM sums
ORDER BY
  CASE $order WHEN '-discount_minor' THEN -discount_minor WHEN '-uses' THEN -uses ELSE 0 END,
  group_key NULLS LAST
OFFSET $offset LIMIT $most

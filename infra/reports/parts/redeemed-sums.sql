-- Sums events of redemptions by their groups.
-- Several redemptions of one request share an order, which counts once for each group.
requests AS (
  SELECT
    group_key,
    CASE WHEN event = 'REDEMPTION' AND result = 'SUCCESS' THEN request_id END AS order_request_id,
    MAX(name) AS name,
    SUM(CASE WHEN event = 'REDEMPTION' AND result = 'SUCCESS' THEN 1 ELSE 0 END) AS redemptions,
    SUM(CASE WHEN event = 'ROLLBACK' AND result = 'SUCCESS' THEN 1 ELSE 0 END) AS rollbacks,
    SUM(CASE WHEN event = 'REDEMPTION' AND result = 'FAILURE' THEN 1 ELSE 0 END) AS failures,
    SUM(CASE WHEN event = 'ROLLBACK' AND result = 'FAILURE' THEN 1 ELSE 0 END) AS failed_rollbacks,
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
    CAST(SUM(failures) AS BIGINT) AS failures,
    CAST(SUM(failed_rollbacks) AS BIGINT) AS failed_rollbacks,
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
-- The order is outside of the sums. Athena takes a name in ORDER BY for the sum of that name, and refuses a sum of sums.
SELECT *
FROM sums
ORDER BY
  CASE $order WHEN '-discount_minor' THEN -discount_minor WHEN '-uses' THEN -uses ELSE 0 END,
  group_key NULLS LAST
OFFSET $offset LIMIT $most

-- Orders by the day of their creation, with and without a promotion. Each order counts in its latest state.
WITH states AS (
  SELECT
    at_ms, status, amount_minor, discount_minor, total_minor, redemptions, is_deleted,
    paid_at_ms IS NOT NULL OR status IN ('PAID', 'FULFILLED') AS was_paid,
    ROW_NUMBER() OVER (PARTITION BY order_id, at_ms ORDER BY version DESC) AS age
  FROM orders
  WHERE at_ms >= $from_ms AND at_ms < $to_ms
),
paid AS (
  SELECT
    local_day(at_ms, $timezone) AS day,
    was_paid AND status <> 'CANCELED' AS is_paid,
    redemptions > 0 OR discount_minor > 0 AS has_promotion,
    amount_minor,
    discount_minor,
    total_minor
  FROM states
  WHERE age = 1 AND NOT is_deleted
)
SELECT
  day,
  CAST(COUNT(*) AS BIGINT) AS orders,
  CAST(SUM(CASE WHEN is_paid THEN 1 ELSE 0 END) AS BIGINT) AS paid_orders,
  CAST(COALESCE(SUM(CASE WHEN is_paid THEN amount_minor END), 0) AS BIGINT) AS paid_amount_minor,
  CAST(COALESCE(SUM(CASE WHEN is_paid THEN discount_minor END), 0) AS BIGINT) AS paid_discount_minor,
  CAST(COALESCE(SUM(CASE WHEN is_paid THEN total_minor END), 0) AS BIGINT) AS revenue_minor,
  CAST(SUM(CASE WHEN is_paid AND has_promotion THEN 1 ELSE 0 END) AS BIGINT) AS promoted_orders,
  CAST(COALESCE(SUM(CASE WHEN is_paid AND has_promotion THEN total_minor END), 0) AS BIGINT) AS promoted_revenue_minor,
  CAST(SUM(CASE WHEN is_paid AND NOT has_promotion THEN 1 ELSE 0 END) AS BIGINT) AS other_orders,
  CAST(COALESCE(SUM(CASE WHEN is_paid AND NOT has_promotion THEN total_minor END), 0) AS BIGINT) AS other_revenue_minor
FROM paid
GROUP BY day
ORDER BY day
OFFSET $offset LIMIT $most

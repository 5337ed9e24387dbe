-- Customers by the month in which they joined, and how many of them redeemed in each month since.
WITH states AS (
  SELECT
    customer_id, at_ms, is_deleted,
    ROW_NUMBER() OVER (PARTITION BY customer_id, at_ms ORDER BY version DESC) AS age
  FROM customers
  WHERE at_ms >= $from_ms AND at_ms < $to_ms
),
joined AS (
  SELECT customer_id, SUBSTR(local_day(at_ms, $timezone), 1, 7) AS cohort FROM states WHERE age = 1 AND NOT is_deleted
),
cohorts AS (
  SELECT cohort, COUNT(*) AS customers FROM joined GROUP BY cohort
),
redeemed AS (
  SELECT
    customer_id,
    SUBSTR(local_day(at_ms, $timezone), 1, 7) AS month,
    uses, discount_minor, event
  FROM redemptions
  WHERE result = 'SUCCESS' AND customer_id IS NOT NULL
    AND ($campaign_id IS NULL OR campaign_id = $campaign_id)
),
months AS (
  SELECT
    joined.cohort,
    redeemed.month,
    COUNT(DISTINCT CASE WHEN redeemed.event = 'REDEMPTION' THEN joined.customer_id END) AS active_customers,
    SUM(redeemed.uses) AS uses,
    SUM(redeemed.discount_minor) AS discount_minor
  FROM joined JOIN redeemed ON redeemed.customer_id = joined.customer_id
  GROUP BY joined.cohort, redeemed.month
)
SELECT
  cohorts.cohort,
  months.month,
  CAST(cohorts.customers AS BIGINT) AS customers,
  CAST(COALESCE(months.active_customers, 0) AS BIGINT) AS active_customers,
  CAST(COALESCE(months.uses, 0) AS BIGINT) AS uses,
  CAST(COALESCE(months.discount_minor, 0) AS BIGINT) AS discount_minor
FROM cohorts LEFT JOIN months ON months.cohort = cohorts.cohort
ORDER BY cohorts.cohort, months.month NULLS FIRST
OFFSET $offset LIMIT $most

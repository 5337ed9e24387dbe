-- The discount of each campaign, and a forecast of it. Days without a redemption count as days of 0.
WITH days AS (
  SELECT
    campaign_id,
    MAX(campaign_name) AS name,
    local_day(at_ms, $timezone) AS day,
    SUM(discount_minor) AS discount_minor
  FROM redemptions
  WHERE result = 'SUCCESS' AND at_ms >= $from_ms AND at_ms < $to_ms
    AND ($campaign_id IS NULL OR campaign_id = $campaign_id)
  GROUP BY 1, 3
),
sums AS (
  SELECT
    campaign_id,
    MAX(name) AS name,
    SUM(discount_minor) AS discount_minor,
    CAST(SUM(discount_minor) AS DOUBLE) / $range_days AS mean,
    SUM(CAST(discount_minor AS DOUBLE) * discount_minor) AS squares
  FROM days
  GROUP BY campaign_id
),
-- The variance of a day. Rounding must not make it negative.
spreads AS (
  SELECT *, GREATEST((squares - $range_days * mean * mean) / NULLIF($range_days - 1, 0), 0) AS variance
  FROM sums
)
SELECT
  campaign_id,
  name,
  CAST($range_days AS BIGINT) AS days,
  CAST(discount_minor AS BIGINT) AS discount_minor,
  CAST(ROUND(mean) AS BIGINT) AS discount_per_day_minor,
  CAST(ROUND(discount_minor + mean * $ahead_days) AS BIGINT) AS forecast_minor,
  -- 19 of 20 sums of independent days are within 1.96 standard errors, which include the error of the mean.
  CASE WHEN $range_days > 1 THEN CAST(
    ROUND(1.96 * SQRT(variance * $ahead_days * (1 + CAST($ahead_days AS DOUBLE) / $range_days))) AS BIGINT
  ) END AS forecast_error_minor,
  CAST(CAST($budget_minor AS BIGINT) - discount_minor AS BIGINT) AS left_minor,
  CASE WHEN mean > 0 AND $budget_minor IS NOT NULL THEN CAST(
    FLOOR(GREATEST(CAST($budget_minor AS BIGINT) - discount_minor, 0) / mean) AS BIGINT
  ) END AS left_days
FROM spreads
ORDER BY campaign_id NULLS LAST
OFFSET $offset LIMIT $most

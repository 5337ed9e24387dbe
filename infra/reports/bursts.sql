-- Codes by their busiest ten minutes. A code that leaks is redeemed by many customers at once.
WITH events AS (
  SELECT code, campaign_id, campaign_name, customer_id, result, at_ms
  FROM redemptions
  WHERE event = 'REDEMPTION' AND code IS NOT NULL AND at_ms >= $from_ms AND at_ms < $to_ms
    AND ($campaign_id IS NULL OR campaign_id = $campaign_id)
),
windows AS (
  SELECT
    code, at_ms,
    COUNT(*) OVER (PARTITION BY code ORDER BY at_ms RANGE BETWEEN CURRENT ROW AND 599999 FOLLOWING) AS busiest
  FROM events
  WHERE result = 'SUCCESS'
),
peaks AS (
  SELECT code, at_ms, busiest, ROW_NUMBER() OVER (PARTITION BY code ORDER BY busiest DESC, at_ms) AS place
  FROM windows
),
sums AS (
  SELECT
    code,
    MAX(campaign_id) AS campaign_id,
    MAX(campaign_name) AS name,
    SUM(CASE WHEN result = 'SUCCESS' THEN 1 ELSE 0 END) AS redemptions,
    SUM(CASE WHEN result = 'FAILURE' THEN 1 ELSE 0 END) AS failures,
    COUNT(DISTINCT CASE WHEN result = 'SUCCESS' THEN customer_id END) AS customers
  FROM events
  GROUP BY code
)
SELECT
  sums.code,
  sums.campaign_id,
  sums.name,
  CAST(sums.redemptions AS BIGINT) AS redemptions,
  CAST(sums.failures AS BIGINT) AS failures,
  CAST(sums.customers AS BIGINT) AS customers,
  CAST(COALESCE(peaks.busiest, 0) AS BIGINT) AS busiest_redemptions,
  CAST(peaks.at_ms AS BIGINT) AS busiest_from_ms
FROM sums LEFT JOIN peaks ON peaks.code = sums.code AND peaks.place = 1
ORDER BY COALESCE(peaks.busiest, 0) DESC, sums.failures DESC, sums.code
OFFSET $offset LIMIT $most

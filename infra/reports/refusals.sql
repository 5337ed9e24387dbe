-- Refused validations and failed redemptions of a range, by one dimension.
WITH refused AS (
  SELECT
    at_ms, campaign_id, CAST(NULL AS VARCHAR) AS campaign_name, redeemable_id, CAST(NULL AS VARCHAR) AS code,
    failure_code, 1 AS validations, 0 AS redemptions
  FROM refusals
  WHERE at_ms >= $from_ms AND at_ms < $to_ms AND ($campaign_id IS NULL OR campaign_id = $campaign_id)
  UNION ALL
  SELECT at_ms, campaign_id, campaign_name, redeemable_id, code, failure_code, 0 AS validations, 1 AS redemptions
  FROM redemptions
  WHERE event = 'REDEMPTION' AND result = 'FAILURE'
    AND at_ms >= $from_ms AND at_ms < $to_ms AND ($campaign_id IS NULL OR campaign_id = $campaign_id)
),
-- The log of validations has ids, but no codes.
known AS (
  SELECT code_id, MAX(code) AS known_code
  FROM codes
  WHERE $by = 'code'
  GROUP BY code_id
),
events AS (
  SELECT
    CASE $by
      WHEN 'reason' THEN refused.failure_code
      WHEN 'day' THEN local_day(at_ms, $timezone)
      WHEN 'campaign' THEN refused.campaign_id
      WHEN 'code' THEN COALESCE(refused.code, known.known_code)
    END AS group_key,
    refused.campaign_name, refused.validations, refused.redemptions
  FROM refused LEFT JOIN known ON known.code_id = refused.redeemable_id
),
sums AS (
  SELECT
    group_key,
    CASE WHEN $by = 'campaign' THEN MAX(campaign_name) END AS name,
    CAST(SUM(validations) + SUM(redemptions) AS BIGINT) AS refusals,
    CAST(SUM(validations) AS BIGINT) AS refused_validations,
    CAST(SUM(redemptions) AS BIGINT) AS failed_redemptions
  FROM events
  GROUP BY group_key
)
SELECT *
FROM sums
ORDER BY CASE $order WHEN '-refusals' THEN -refusals ELSE 0 END, group_key NULLS LAST
OFFSET $offset LIMIT $most

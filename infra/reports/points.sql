-- Points of loyalty programmes by day: what came, what went, and what is outstanding at the end of the day.
WITH states AS (
  SELECT
    campaign_id, type, at_ms, opening_points, is_deleted, deleted_at_ms, left_points,
    ROW_NUMBER() OVER (PARTITION BY code_id, at_ms ORDER BY version DESC) AS age
  FROM codes
),
changes AS (
  SELECT campaign_id, at_ms, type, points FROM points
  UNION ALL
  SELECT campaign_id, at_ms, 'OPENING', opening_points FROM states WHERE age = 1 AND type = 'LOYALTY_CARD'
  UNION ALL
  SELECT campaign_id, deleted_at_ms, 'DELETION', -left_points
  FROM states
  WHERE age = 1 AND type = 'LOYALTY_CARD' AND is_deleted
),
days AS (
  SELECT
    local_day(at_ms, $timezone) AS day,
    campaign_id,
    SUM(CASE WHEN type = 'OPENING' THEN points ELSE 0 END) AS opened_points,
    SUM(CASE WHEN type IN ('POINTS_ACCRUAL', 'PENDING_POINTS_ACTIVATION') THEN points ELSE 0 END) AS earned_points,
    SUM(CASE WHEN type = 'POINTS_REDEMPTION' THEN -points ELSE 0 END) AS spent_points,
    SUM(CASE WHEN type = 'POINTS_REFUND' THEN points ELSE 0 END) AS refunded_points,
    SUM(CASE WHEN type = 'POINTS_EXPIRATION' THEN -points ELSE 0 END) AS expired_points,
    SUM(CASE WHEN type IN ('POINTS_ADDITION', 'POINTS_REMOVAL') THEN points ELSE 0 END) AS adjusted_points,
    SUM(CASE WHEN type = 'POINTS_TRANSFER_IN' THEN points ELSE 0 END) AS transferred_in_points,
    SUM(CASE WHEN type = 'POINTS_TRANSFER_OUT' THEN -points ELSE 0 END) AS transferred_out_points,
    SUM(CASE WHEN type = 'DELETION' THEN -points ELSE 0 END) AS deleted_points,
    SUM(points) AS change_points
  FROM changes
  WHERE at_ms < $to_ms AND points <> 0
    AND ($campaign_id IS NULL OR campaign_id = $campaign_id)
  GROUP BY 1, 2
),
balances AS (
  SELECT *, SUM(change_points) OVER (PARTITION BY campaign_id ORDER BY day) AS outstanding_points FROM days
)
SELECT
  day,
  campaign_id,
  CAST(opened_points AS BIGINT) AS opened_points,
  CAST(earned_points AS BIGINT) AS earned_points,
  CAST(spent_points AS BIGINT) AS spent_points,
  CAST(refunded_points AS BIGINT) AS refunded_points,
  CAST(expired_points AS BIGINT) AS expired_points,
  CAST(adjusted_points AS BIGINT) AS adjusted_points,
  CAST(transferred_in_points AS BIGINT) AS transferred_in_points,
  CAST(transferred_out_points AS BIGINT) AS transferred_out_points,
  CAST(deleted_points AS BIGINT) AS deleted_points,
  CAST(outstanding_points AS BIGINT) AS outstanding_points
FROM balances
WHERE day >= $from_day
ORDER BY day, campaign_id NULLS LAST
OFFSET $offset LIMIT $most

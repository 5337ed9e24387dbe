-- Pending points by programme and the day they were earned: what became points, what was canceled, and what still waits.
WITH states AS (
  SELECT
    at_ms, campaign_id, state, points,
    ROW_NUMBER() OVER (PARTITION BY pending_points_id ORDER BY version DESC) AS age
  FROM pending_points
)
SELECT
  local_day(at_ms, $timezone) AS day,
  campaign_id,
  CAST(SUM(CASE WHEN state = 'PENDING' THEN points ELSE 0 END) AS BIGINT) AS pending_points,
  CAST(SUM(CASE WHEN state = 'ACTIVATED' THEN points ELSE 0 END) AS BIGINT) AS activated_points,
  CAST(SUM(CASE WHEN state = 'CANCELED' THEN points ELSE 0 END) AS BIGINT) AS canceled_points
FROM states
WHERE age = 1 AND at_ms >= $from_ms AND at_ms < $to_ms
  AND ($campaign_id IS NULL OR campaign_id = $campaign_id)
GROUP BY 1, 2
ORDER BY 1, 2 NULLS LAST
OFFSET $offset LIMIT $most

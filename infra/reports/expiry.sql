-- Points that cards hold now, by the month of their last day. Points that never expire have no month.
WITH states AS (
  SELECT
    campaign_id, expires_on, points,
    ROW_NUMBER() OVER (PARTITION BY lot_id, at_ms ORDER BY version DESC) AS age
  FROM point_lots
  WHERE $campaign_id IS NULL OR campaign_id = $campaign_id
)
SELECT
  SUBSTR(expires_on, 1, 7) AS expires_in,
  campaign_id,
  CAST(SUM(points) AS BIGINT) AS outstanding_points
FROM states
WHERE age = 1 AND points > 0
GROUP BY 1, 2
ORDER BY 1 NULLS LAST, 2 NULLS LAST
OFFSET $offset LIMIT $most

-- Moves of members between the tiers of their programmes, by day.
WITH sides AS (
  SELECT at_ms, campaign_id, to_tier_id AS tier_id, 1 AS entered, 0 AS left_members
  FROM tier_moves
  WHERE move <> 'prolonged' AND to_tier_id IS NOT NULL
  UNION ALL
  SELECT at_ms, campaign_id, from_tier_id, 0, 1
  FROM tier_moves
  WHERE move <> 'prolonged' AND from_tier_id IS NOT NULL
)
SELECT
  local_day(at_ms, $timezone) AS day,
  campaign_id,
  tier_id,
  CAST(SUM(entered) AS BIGINT) AS entered_members,
  CAST(SUM(left_members) AS BIGINT) AS left_members
FROM sides
WHERE at_ms >= $from_ms AND at_ms < $to_ms
  AND ($campaign_id IS NULL OR campaign_id = $campaign_id)
GROUP BY 1, 2, 3
ORDER BY 1, 2 NULLS LAST, 3
OFFSET $offset LIMIT $most

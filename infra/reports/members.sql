-- Members of the tiers of programmes, at the end of each day with moves.
WITH moves AS (
  SELECT
    at_ms, campaign_id, card_id, from_tier_id, to_tier_id,
    ROW_NUMBER() OVER (PARTITION BY card_id ORDER BY at_ms, fact_id) AS place
  FROM tier_moves
  WHERE move <> 'prolonged' AND at_ms < $to_ms
),
-- A card counts from its first move. That move may leave a tier for which there is no earlier fact.
sides AS (
  SELECT at_ms, campaign_id, card_id, to_tier_id AS tier_id, 1 AS entered, 0 AS left_members, 1 AS change
  FROM moves
  WHERE to_tier_id IS NOT NULL
  UNION ALL
  SELECT at_ms, campaign_id, card_id, from_tier_id, 0, 1, CASE WHEN place = 1 THEN 0 ELSE -1 END
  FROM moves
  WHERE from_tier_id IS NOT NULL
),
states AS (
  SELECT
    code_id, is_deleted, deleted_at_ms,
    ROW_NUMBER() OVER (PARTITION BY code_id, at_ms ORDER BY version DESC) AS age
  FROM codes
  WHERE type = 'LOYALTY_CARD'
),
deleted AS (
  SELECT code_id, deleted_at_ms FROM states WHERE age = 1 AND is_deleted AND deleted_at_ms < $to_ms
),
-- A card that is deleted leaves its tier without a move.
removed AS (
  SELECT MAX(deleted.deleted_at_ms) AS at_ms, sides.campaign_id, sides.card_id, sides.tier_id
  FROM sides JOIN deleted ON deleted.code_id = sides.card_id
  GROUP BY sides.campaign_id, sides.card_id, sides.tier_id
  HAVING SUM(sides.change) = 1
),
changes AS (
  SELECT at_ms, campaign_id, tier_id, entered, left_members, 0 AS deleted_members, change FROM sides
  UNION ALL
  SELECT at_ms, campaign_id, tier_id, 0, 0, 1, -1 FROM removed
),
days AS (
  SELECT
    local_day(at_ms, $timezone) AS day,
    campaign_id,
    tier_id,
    SUM(entered) AS entered_members,
    SUM(left_members) AS left_members,
    SUM(deleted_members) AS deleted_members,
    SUM(change) AS change
  FROM changes
  WHERE $campaign_id IS NULL OR campaign_id = $campaign_id
  GROUP BY 1, 2, 3
),
balances AS (
  SELECT
    *,
    SUM(change) OVER (PARTITION BY campaign_id, tier_id ORDER BY day) AS members
  FROM days
)
SELECT
  day,
  campaign_id,
  tier_id,
  CAST(entered_members AS BIGINT) AS entered_members,
  CAST(left_members AS BIGINT) AS left_members,
  CAST(deleted_members AS BIGINT) AS deleted_members,
  CAST(members AS BIGINT) AS members
FROM balances
WHERE day >= $from_day
ORDER BY day, campaign_id NULLS LAST, tier_id
OFFSET $offset LIMIT $most

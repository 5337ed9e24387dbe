-- Redemptions by the category that their voucher, promotion tier or campaign has now.
WITH owners AS (
  SELECT code_id AS owner_id, category_id, version FROM codes
  UNION ALL
  SELECT promotion_tier_id AS owner_id, category_id, version FROM promotion_tiers
  UNION ALL
  SELECT campaign_id AS owner_id, category_id, version FROM campaigns
),
owner_states AS (
  SELECT owner_id, category_id, ROW_NUMBER() OVER (PARTITION BY owner_id ORDER BY version DESC) AS age
  FROM owners
),
category_states AS (
  SELECT category_id, name, is_deleted, ROW_NUMBER() OVER (PARTITION BY category_id ORDER BY version DESC) AS age
  FROM categories
),
chosen AS (
  SELECT owner_states.owner_id, category_states.category_id, category_states.name
  FROM owner_states JOIN category_states ON category_states.category_id = owner_states.category_id
  WHERE owner_states.age = 1 AND category_states.age = 1 AND NOT category_states.is_deleted
),
events AS (
  SELECT
    COALESCE(own.category_id, inherited.category_id) AS group_key,
    COALESCE(own.name, inherited.name) AS name,
    redemptions.event, redemptions.result, redemptions.request_id, redemptions.uses, redemptions.discount_minor,
    redemptions.credits_minor, redemptions.points, redemptions.order_amount_minor, redemptions.order_total_minor
  FROM redemptions
  LEFT JOIN chosen own ON own.owner_id = redemptions.redeemable_id
  LEFT JOIN chosen inherited ON inherited.owner_id = redemptions.campaign_id
  WHERE redemptions.at_ms >= $from_ms AND redemptions.at_ms < $to_ms
    AND ($campaign_id IS NULL OR redemptions.campaign_id = $campaign_id)
),
-- The rest is parts/redeemed-sums.sql.

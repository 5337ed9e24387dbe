-- Redemptions by the category that their voucher, promotion tier or campaign has now.
WITH category_states AS (
  SELECT category_id, name, is_deleted, ROW_NUMBER() OVER (PARTITION BY category_id ORDER BY version DESC) AS age
  FROM categories
),
kept AS (
  SELECT category_id, name FROM category_states WHERE age = 1 AND NOT is_deleted
),
owners AS (
  SELECT code_id AS owner_id, category_id, version FROM codes
  UNION ALL
  SELECT promotion_tier_id AS owner_id, category_id, version FROM promotion_tiers
),
-- Most codes never had a category of their own. The engine has no memory to sort the states of all.
owner_states AS (
  SELECT owner_id, category_id, ROW_NUMBER() OVER (PARTITION BY owner_id ORDER BY version DESC) AS age
  FROM owners
  WHERE owner_id IN (SELECT owner_id FROM owners WHERE category_id IS NOT NULL)
),
own AS (
  SELECT owner_id, category_id
  FROM owner_states
  WHERE age = 1 AND category_id IN (SELECT category_id FROM kept)
),
campaign_states AS (
  SELECT campaign_id, category_id, ROW_NUMBER() OVER (PARTITION BY campaign_id ORDER BY version DESC) AS age
  FROM campaigns
),
inherited AS (
  SELECT campaign_id, category_id
  FROM campaign_states
  WHERE age = 1 AND category_id IN (SELECT category_id FROM kept)
),
events AS (
  SELECT
    kept.category_id AS group_key, kept.name,
    redemptions.event, redemptions.result, redemptions.request_id, redemptions.redemption_id, redemptions.uses,
    redemptions.discount_minor, redemptions.credits_minor, redemptions.points,
    redemptions.order_amount_minor, redemptions.order_total_minor
  FROM redemptions
  LEFT JOIN own ON own.owner_id = redemptions.redeemable_id
  LEFT JOIN inherited ON inherited.campaign_id = redemptions.campaign_id
  LEFT JOIN kept ON kept.category_id = COALESCE(own.category_id, inherited.category_id)
  WHERE redemptions.at_ms >= $from_ms AND redemptions.at_ms < $to_ms
    AND ($campaign_id IS NULL OR redemptions.campaign_id = $campaign_id)
),
-- Keep events: the joins free their memory before the sums begin.
-- The rest is parts/redeemed-sums.sql.

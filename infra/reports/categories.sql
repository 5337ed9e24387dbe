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
    redemptions.event, redemptions.request_id, redemptions.uses, redemptions.discount_minor, redemptions.credits_minor,
    redemptions.points, redemptions.order_amount_minor, redemptions.order_total_minor
  FROM redemptions
  LEFT JOIN chosen own ON own.owner_id = redemptions.redeemable_id
  LEFT JOIN chosen inherited ON inherited.owner_id = redemptions.campaign_id
  WHERE redemptions.at_ms >= $from_ms AND redemptions.at_ms < $to_ms
    AND redemptions.result = 'SUCCESS'
    AND ($campaign_id IS NULL OR redemptions.campaign_id = $campaign_id)
),
-- Several redemptions of one request share an order, which counts once for each group.
requests AS (
  SELECT
    group_key,
    CASE WHEN event = 'REDEMPTION' THEN request_id END AS order_request_id,
    MAX(name) AS name,
    SUM(CASE WHEN event = 'REDEMPTION' THEN 1 ELSE 0 END) AS redemptions,
    SUM(CASE WHEN event = 'ROLLBACK' THEN 1 ELSE 0 END) AS rollbacks,
    SUM(uses) AS uses,
    SUM(discount_minor) AS discount_minor,
    SUM(credits_minor) AS credits_minor,
    SUM(points) AS points,
    MAX(order_amount_minor) AS order_amount_minor,
    MAX(order_total_minor) AS order_total_minor
  FROM events
  GROUP BY 1, 2
),
sums AS (
  SELECT
    group_key,
    MAX(name) AS name,
    CAST(SUM(redemptions) AS BIGINT) AS redemptions,
    CAST(SUM(rollbacks) AS BIGINT) AS rollbacks,
    CAST(SUM(uses) AS BIGINT) AS uses,
    CAST(SUM(discount_minor) AS BIGINT) AS discount_minor,
    CAST(SUM(credits_minor) AS BIGINT) AS credits_minor,
    CAST(SUM(points) AS BIGINT) AS points,
    CAST(SUM(CASE WHEN order_request_id IS NOT NULL AND order_amount_minor IS NOT NULL THEN 1 ELSE 0 END) AS BIGINT) AS orders,
    CAST(COALESCE(SUM(CASE WHEN order_request_id IS NOT NULL THEN order_amount_minor END), 0) AS BIGINT) AS orders_amount_minor,
    CAST(COALESCE(SUM(CASE WHEN order_request_id IS NOT NULL THEN order_total_minor END), 0) AS BIGINT) AS orders_total_minor
  FROM requests
  GROUP BY group_key
)
SELECT *
FROM sums
ORDER BY
  CASE $order WHEN '-discount_minor' THEN -discount_minor WHEN '-uses' THEN -uses ELSE 0 END,
  group_key NULLS LAST
OFFSET $offset LIMIT $most

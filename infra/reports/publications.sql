-- Published codes of campaigns, and how many of them were redeemed since.
WITH published AS (
  SELECT
    campaign_id,
    MAX(campaign_name) AS campaign_name,
    code_id,
    SUM(CASE WHEN result = 'SUCCESS' THEN 1 ELSE 0 END) AS publications,
    SUM(CASE WHEN result = 'FAILURE' THEN 1 ELSE 0 END) AS failures
  FROM publications
  WHERE at_ms >= $from_ms AND at_ms < $to_ms
    AND ($campaign_id IS NULL OR campaign_id = $campaign_id)
  GROUP BY campaign_id, code_id
),
redeemed AS (
  SELECT redeemable_id, SUM(uses) AS uses, SUM(discount_minor) AS discount_minor
  FROM redemptions
  WHERE result = 'SUCCESS' AND redeemable_type = 'voucher' AND at_ms >= $from_ms
  GROUP BY redeemable_id
)
SELECT
  campaign_id,
  MAX(campaign_name) AS name,
  CAST(SUM(publications) AS BIGINT) AS publications,
  CAST(SUM(failures) AS BIGINT) AS failures,
  CAST(SUM(CASE WHEN publications > 0 THEN 1 ELSE 0 END) AS BIGINT) AS published_codes,
  CAST(SUM(CASE WHEN publications > 0 AND uses > 0 THEN 1 ELSE 0 END) AS BIGINT) AS redeemed_codes,
  CAST(COALESCE(SUM(CASE WHEN publications > 0 THEN discount_minor END), 0) AS BIGINT) AS discount_minor
FROM published LEFT JOIN redeemed ON redeemed.redeemable_id = published.code_id
GROUP BY campaign_id
ORDER BY campaign_id NULLS LAST
OFFSET $offset LIMIT $most

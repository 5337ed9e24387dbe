import * as v from 'valibot';
import { categoryEntries } from '#engine/rules/categories/category-fields.ts';
import { findDateFaults } from '#engine/rules/validity/dates.ts';
import { validityDates } from '#engine/rules/validity/validity.ts';
import { reference, sentMetadata, shortText } from '#kernel/core/schema.ts';
import { datedEntry, describeList, listAttributes, refer, toCategory } from '#kernel/kit/entries/list.ts';
import { parseStored } from '#kernel/table/item.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { placeTier, promotionTier, promotionTierItem, promotionTiers, summariseTier } from './promotion-tier.ts';

const stored = promotionTierItem.entries;

const entry = datedEntry({
  name: shortText,
  campaign_id: reference,
  banner: v.optional(shortText),
  action: stored.action,
  metadata: v.optional(sentMetadata, {}),
  hierarchy: stored.hierarchy,
  active: stored.active,
  ...categoryEntries,
  ...validityDates,
  summary: v.optional(stored.summary.wrapped),
});

export const promotionTierEntries = describeList('promotion_tiers', entry, {
  called: 'promotion tier',
  names: ['id'],
  prefix: 'promo_',
  owner: 'promotion_tier',
  shown: promotionTier,
  references: (one) => [refer('campaign_id', 'campaigns', one.campaign_id), toCategory(one)],
  rules: (one) => findDateFaults(one),
  items(one, { id, projectId, now, idOf, parts }) {
    const { category, ...attributes } = listAttributes(entry, one);
    const held = parts('promotion_tier', id);
    return [
      {
        key: promotionTiers(projectId, id),
        item: {
          ...attributes,
          id,
          campaign_id: idOf('campaigns', one.campaign_id),
          category_id: idOf('categories', one.category_id, one.category),
          ...held.item,
          created_at: one.created_at ?? now,
        },
        noted: { projectId, what: 'promotion_tier', id },
        once: ['created_at', 'updated_at', 'summary', ...held.once],
        guards: ['campaign_id', 'hierarchy', 'created_at', 'updated_at'],
        places: (item) => placeTier(projectId, v.parse(promotionTierItem, item)),
      },
    ];
  },
  kinds: [kinds.promotionTier],
  entries: (item, plain) => [{ ...plain, summary: summariseTier(parseStored(promotionTierItem, item)) }],
});

import * as v from 'valibot';
import { categoryEntries } from '#engine/rules/categories/category-fields.ts';
import { findGiftFaults } from '#engine/rules/discounts/discount.ts';
import { findDateFaults, hasNoStart, timeframeNeedsStart } from '#engine/rules/validity/dates.ts';
import { count, identifier, longText, sentMetadata } from '#kernel/core/schema.ts';
import { explainDifference } from '#kernel/kit/entries/item-write.ts';
import { datedEntry, describeList, listAttributes, toCategory } from '#kernel/kit/entries/list.ts';
import type { EntryFields } from '#kernel/kit/entries/traits.ts';
import { parseStored } from '#kernel/table/item.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { campaignDefinition, campaignNames, campaignStatus, campaigns } from './campaign.ts';
import { placeCampaign, placedCampaign } from './campaign-lists.ts';
import { campaign } from './campaign-reply.ts';

const entry = datedEntry({
  ...campaignDefinition,
  name: identifier,
  description: v.optional(longText),
  metadata: v.optional(sentMetadata, {}),
  ...categoryEntries,
  creation_status: v.optional(campaignStatus, 'DONE'),
  vouchers_generation_status: v.optional(campaignStatus, 'DONE'),
  vouchers_count: v.optional(count),
});

function* rules(one: v.InferOutput<typeof entry>) {
  const { campaign_type, type, voucher } = one;
  if (campaign_type === 'LOYALTY_PROGRAM' && type === 'STANDALONE') {
    yield 'type must be one of AUTO_UPDATE, STATIC in a loyalty programme';
  }
  yield* findDateFaults(one);
  if (!voucher) return;
  yield* findDateFaults({ ...voucher, validity_timeframe: undefined }, 'voucher.');
  if (hasNoStart({ ...voucher, start_date: voucher.start_date ?? one.start_date })) {
    yield `voucher.validity_timeframe ${timeframeNeedsStart}`;
  }
  yield* findGiftFaults(voucher.gift, 'voucher.');
}

/** Matches an assignment of a reward that members get automatically. */
export const automaticReward = v.object({
  parameters: v.object({ loyalty: v.object({ auto_redeem: v.literal(true) }) }),
});

export const campaignEntries = describeList('campaigns', entry, {
  called: 'campaign',
  names: ['id', 'name'],
  prefix: 'camp_',
  unique: [{ field: 'name', claim: campaignNames, holds: 'campaign_id' }],
  owner: 'campaign',
  shown: campaign,
  references: (one) => [toCategory(one)],
  rules,
  items(one, { id, place, projectId, now, idOf, parts, file }) {
    const { category, ...attributes } = listAttributes(entry, one);
    const ofThis = ({ related_object_id: named }: EntryFields) => named === id || named === one.name;
    const held = parts('campaign', id);
    const byItself = file.all('reward_assignments').find((given) => v.is(automaticReward, given) && ofThis(given));
    return [
      {
        key: campaigns(projectId, id),
        item: {
          ...attributes,
          id,
          join_once: one.campaign_type === 'LOYALTY_PROGRAM' || (one.type !== 'STANDALONE' && one.join_once),
          category_id: idOf('categories', one.category_id, one.category),
          ...held.item,
          auto_redeem: byItself && (idOf('rewards', String(byItself.reward_id)) ?? byItself.reward_id),
          created_at: one.created_at ?? now,
        },
        versioned: true,
        noted: { projectId, what: 'campaign', id },
        places: (item) => placeCampaign(projectId, parseStored(placedCampaign, item)),
        guards: ['updated_at'],
        once: [
          ...['created_at', 'updated_at', 'creation_status', 'vouchers_generation_status', 'vouchers_count'],
          ...held.once,
          ...(byItself ? [] : ['auto_redeem']),
        ],
        fixed: { name: explainDifference(`${place}.name`) },
      },
    ];
  },
  kinds: [kinds.campaign],
  nulls: ['category_id'],
  entries({ id }, plain, { unfinished }) {
    const isUnfinished = [plain.creation_status, plain.vouchers_generation_status].includes('IN_PROGRESS');
    if (!isUnfinished) return [plain];
    unfinished(String(id));
    // In the table that loads the file, nothing would end this generation.
    return [{ ...plain, creation_status: 'FAILED', vouchers_generation_status: 'FAILED' }];
  },
});

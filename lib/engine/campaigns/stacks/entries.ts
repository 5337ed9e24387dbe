import { reference } from '#kernel/core/schema.ts';
import { datedEntry, describeList, keepDated, refer } from '#kernel/kit/entries/list.ts';
import { createStackBody, promotionStack, stackGuards } from '../promotions/promotion-tier.ts';

const entry = datedEntry({
  ...createStackBody.entries,
  campaign_id: reference,
});

export const promotionStackEntries = describeList(promotionStack.fileKey, entry, {
  called: 'promotion stack',
  names: ['id'],
  prefix: promotionStack.idPrefix,
  shown: promotionStack.reply,
  references: (one) => [
    refer('campaign_id', 'campaigns', one.campaign_id, ['id']),
    refer('category_id', 'categories', one.category_id, ['id']),
    ...one.tiers.ids.map((tier, index) => refer(`tiers.ids[${index}]`, 'promotion_tiers', tier, ['id'])),
  ],
  *against({ campaign_id: campaignId, tiers: { ids } }, file) {
    const own = file.find('campaigns', campaignId);
    for (const [index, tier] of ids.entries()) {
      const found = file.find('promotion_tiers', tier);
      const owner = file.find('campaigns', typeof found?.campaign_id === 'string' ? found.campaign_id : undefined);
      if (own && owner && owner !== own) yield `tiers.ids[${index}] is a tier of another campaign`;
    }
  },
  items: (one, making) => [
    {
      key: promotionStack.few(making.projectId, making.id),
      ...keepDated(entry, one, making),
      counts: 'revision',
      counted: [{ key: stackGuards(making.projectId), attribute: 'revision' }],
    },
  ],
  kinds: [promotionStack.few.kind],
});

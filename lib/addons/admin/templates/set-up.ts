import * as v from 'valibot';
import { campaign } from '#engine/campaigns/campaign-reply.ts';
import { planCampaign } from '#engine/campaigns/create-campaign.ts';
import { planTier } from '#engine/campaigns/promotions/create-tier.ts';
import { newTiers } from '#engine/campaigns/promotions/new-tiers.ts';
import { promotionTier } from '#engine/campaigns/promotions/promotion-tier.ts';
import { validationRulesAssignment } from '#engine/rules/assignment.ts';
import { type References, renameInDiscount } from '#engine/rules/rename-references.ts';
import { makeOnlyVoucher } from '#engine/vouchers/only-voucher.ts';
import { named } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading, Starting } from '#kernel/http/context.ts';
import { itemOr404 } from '#kernel/kit/resource/item.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { canFitOneTransaction, commit, type Effect, maxWrites } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { placeCopies } from './place-copies.ts';
import { type CampaignTemplate, campaignTemplate } from './resource.ts';
import { buildCampaignBody, buildTierBody, type CampaignSetupBody, type TierSetupBody } from './setup-body.ts';

const createdResource = v.object({
  id: v.string(),
  object: v.picklist(['validation_rules', 'product', 'sku', 'products_collection', 'segments', 'location']),
});
const created_resources = v.array(createdResource);

export const campaignSetup = named(
  'CampaignSetup',
  v.object({ created_resources, campaign, object: v.literal('campaign_setup') }),
);

/** Shows the tier with its rules under both names, because clients read them from a plain list here. */
export const tierSetup = named(
  'PromotionTierSetup',
  v.object({
    created_resources,
    promotion_tier: v.object({
      ...promotionTier.entries,
      validation_rules_assignments: v.array(validationRulesAssignment),
    }),
    object: v.literal('promotion_tier_setup'),
  }),
);

async function templateOr404(context: Reading, id: string): Promise<CampaignTemplate> {
  return parseStored(campaignTemplate.stored, await itemOr404(context, campaignTemplate, id));
}

/** Returns the settings with a discount that gives the resources of this project. */
function settingsWith({ content: { settings } }: CampaignTemplate, references: References) {
  const { voucher } = settings;
  const { discount } = voucher;
  if (!discount) return settings;
  return { ...settings, voucher: { ...voucher, discount: renameInDiscount(discount, references) } };
}

/** Commits everything in one transaction. Answers 400 if it does not fit. */
function commitSetup({ table }: Reading, effects: readonly Effect[]): Promise<boolean> {
  if (!canFitOneTransaction(effects)) {
    throw new ServiceError('invalid_payload', {
      details: `the setup must fit one transaction of ${maxWrites} items and 4 MB: create some of its products and SKUs first, with the same source ids`,
    });
  }
  return commit(table, effects);
}

/** Creates a campaign with copies of the template's rules, and the resources that the project lacks for them: all or nothing. */
export async function setUpCampaign(
  context: Starting,
  id: string,
  body: CampaignSetupBody,
): Promise<v.InferOutput<typeof campaignSetup>> {
  return retryOptimistically(context.table, async () => {
    const template = await templateOr404(context, id);
    const { campaign_type } = template;
    const { effects, created, references, ruleIds } = await placeCopies(context, template);
    const whole = buildCampaignBody({ campaign_type, settings: settingsWith(template, references) }, body);
    const planned = await planCampaign(context, whole, { tiers: newTiers, voucher: makeOnlyVoucher }, ruleIds);
    const isDone = await commitSetup(context, [...effects, ...planned.effects]);
    return isDone ? { created_resources: created, campaign: planned.shown, object: 'campaign_setup' } : again;
  });
}

/** Creates a promotion tier like `setUpCampaign`. Answers 400 for a template of gift vouchers, which no tier can give. */
export async function setUpTier(
  context: Reading,
  id: string,
  { campaign_id, ...body }: TierSetupBody,
): Promise<v.InferOutput<typeof tierSetup>> {
  return retryOptimistically(context.table, async () => {
    const template = await templateOr404(context, id);
    const { campaign_type } = template;
    if (campaign_type !== 'DISCOUNT_COUPONS') {
      throw new ServiceError('campaign_type_is_not_supported_by_campaign_template', {
        details: `a promotion tier has a discount, and this template sets up ${campaign_type}: use a template of DISCOUNT_COUPONS`,
        resource: { id, type: campaignTemplate.name },
      });
    }
    const { effects, created, references, ruleIds } = await placeCopies(context, template);
    const whole = buildTierBody({ campaign_type, settings: settingsWith(template, references) }, body);
    const { effects: ofTier, shown } = await planTier(context, campaign_id, whole, ruleIds);
    const promotion_tier = { ...shown, validation_rules_assignments: shown.validation_rule_assignments.data };
    const isDone = await commitSetup(context, [...effects, ...ofTier]);
    return isDone ? { created_resources: created, promotion_tier, object: 'promotion_tier_setup' } : again;
  });
}

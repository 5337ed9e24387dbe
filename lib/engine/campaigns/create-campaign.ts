import { applyProjectForm } from '#engine/ledger/codes/code-space.ts';
import { insertRuleAssignments, ruleType, storedRules } from '#engine/rules/assignment.ts';
import { type Categories, chooseCategories, chooseCategory } from '#engine/rules/categories/resource.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { checkBySchema } from '#kernel/core/metadata/check.ts';
import type { Reading, Starting } from '#kernel/http/context.ts';
import { ReplyRoom } from '#kernel/http/reply-size.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import {
  canFitOneTransaction,
  commit,
  type Effect,
  type ExplainRefusal,
  insert,
  maxWrites,
} from '#kernel/table/effects.ts';
import { versionChanges } from '#kernel/table/version-effects.ts';
import { type CampaignItem, campaignNames, campaigns } from './campaign.ts';
import { placeCampaign } from './campaign-lists.ts';
import { type Campaign, presentCampaign } from './campaign-reply.ts';
import { checkReferralRewards } from './check-referral-rewards.ts';
import type { CreateCampaignBody } from './create-body.ts';
import { startGeneration } from './generation/job.ts';
import { checkCodeConfig, isGenerated, newCampaign } from './new-campaign.ts';
import type { NewTierBody } from './promotions/new-tiers.ts';
import type { TierList } from './promotions/promotion-tier.ts';

/** Creates the parts of a campaign. Callers pass these functions in, because campaigns import neither promotions nor vouchers. */
export interface MadeWith {
  tiers: (
    context: Reading,
    campaign: CampaignItem,
    bodies: readonly NewTierBody[],
    known: Categories,
  ) => Promise<{ effects: Effect[]; shown: TierList }>;
  /** Creates the only voucher of a STANDALONE campaign, which counts it. Without a `code`, draws a free code. */
  voucher: (context: Reading, campaign: CampaignItem, code: string | undefined) => Promise<Effect[]>;
}

/** Reads everything that the body refers to. Answers 404 for anything missing. The same transaction creates `newRules`. */
async function readReferences(context: Reading, body: CreateCampaignBody, newRules: readonly string[]) {
  const { table, project } = context;
  const [ruleId] = body.validation_rules ?? [];
  const [{ categories, created }, rules] = await Promise.all([
    chooseCategories(context, [], [body]),
    table.getMany(ruleId === undefined ? [] : [storedRules(project.id, ruleId)]),
  ]);
  if (ruleId !== undefined && !rules[0]) throw notFound(ruleType, ruleId);
  const ruleIds = [...(body.validation_rules ?? []), ...newRules];
  return { categories, created, categoryId: chooseCategory(categories, body)?.id ?? null, ruleIds };
}

/** Checks that a referral programme has a discount for referees, and campaigns that can give its rewards. */
async function checkReferral(context: Reading, { voucher, referral_program }: CampaignItem): Promise<void> {
  if (!voucher?.discount) {
    throw new ServiceError('invalid_campaign', { details: 'voucher.discount is required in a REFERRAL_PROGRAM' });
  }
  await checkReferralRewards(context, referral_program);
}

/** Returns the effects that create the campaign's parts, by its kind. */
async function createParts(
  context: Starting,
  item: CampaignItem,
  body: CreateCampaignBody,
  made: MadeWith,
  known: Categories,
) {
  const { vouchers_count: total, voucher, promotion } = body;
  if (item.campaign_type === 'PROMOTION') return made.tiers(context, item, promotion?.tiers ?? [], known);
  if (item.type === 'STANDALONE') {
    const isWanted = voucher.code !== undefined || total > 0;
    return { effects: isWanted ? await made.voucher(context, item, voucher.code) : [] };
  }
  return { effects: [startGeneration(context, item.id, { total, is_creation: true }).effect] };
}

/** Refuses a taken name. A campaign in the bin keeps its name until the bin's entry is deleted. */
function refuseTaken(name: string): ExplainRefusal {
  return (stored) =>
    new ServiceError('duplicate_found', {
      details:
        stored?.bin_entry === undefined
          ? 'another campaign of the project, or one in the bin, has this name: send another name'
          : `a campaign in the bin has this name: send another name, or delete the entry ${stored.bin_entry} of the bin`,
      resource: { id: name, type: 'campaign' },
    });
}

/**
 * Returns the effects that create the campaign with its claim on the name and its parts, and the campaign as a reply shows it. Its parts are
 * the action that generates its codes, the tiers of a promotion, or the voucher of a STANDALONE campaign. See docs/campaigns.md#generation.
 * The same transaction must create the rules with the ids `newRules`, which apply to the campaign.
 */
export async function planCampaign(
  context: Starting,
  body: CreateCampaignBody,
  made: MadeWith,
  newRules: readonly string[] = [],
): Promise<{ effects: Effect[]; shown: Campaign }> {
  const { project, now } = context;
  if (body.access_settings && !project.features.areas_and_stores) {
    throw new ServiceError('invalid_payload', {
      details: 'access_settings needs the Areas and Stores feature, which this project does not have',
    });
  }
  const code_config = applyProjectForm(project, body.voucher.code_config);
  checkCodeConfig(code_config, body.vouchers_count, 'voucher.code_config');
  checkBySchema(project.schemas('campaign'), body.metadata ?? {}, { place: 'metadata' });
  const { categories, created, ...chosen } = await readReferences(context, body, newRules);
  const item = newCampaign({ ...body, voucher: { ...body.voucher, code_config } }, { ...chosen, now });
  if (item.campaign_type === 'REFERRAL_PROGRAM') await checkReferral(context, item);

  const { effects, ...shown } = await createParts(context, item, body, made, categories);
  const key = campaigns(project.id, item.id);
  const generating = isGenerated(item) ? { generations_open: 1, codes_pending: body.vouchers_count } : {};
  const all: Effect[] = [
    insert(campaignNames(project.id, item.name), { campaign_id: item.id }, refuseTaken(item.name)),
    insert(key, { ...item, ...generating, ...placeCampaign(project.id, item) }),
    ...versionChanges(key, item.version),
    ...noteResource(project.id, 'campaign', { id: item.id, version: item.version }),
    ...insertRuleAssignments(project.id, item.validation_rules_assignments),
    ...effects,
    ...created,
  ];
  new ReplyRoom('send fewer or shorter promotion.tiers').take(shown);
  const reply = presentCampaign({ project }, { item, categories });
  if ('shown' in shown) return { effects: all, shown: { ...reply, promotion: shown.shown } };
  const isAlone = item.type === 'STANDALONE';
  return { effects: all, shown: isAlone ? { ...reply, vouchers_count: effects.length > 0 ? 1 : 0 } : reply };
}

/** Creates the campaign and all its parts in one transaction. */
export async function createCampaign(context: Starting, body: CreateCampaignBody, made: MadeWith): Promise<Campaign> {
  const { table } = context;
  return retryOptimistically(table, async () => {
    const { effects, shown } = await planCampaign(context, body, made);
    if (!canFitOneTransaction(effects)) {
      throw new ServiceError('invalid_payload', {
        details: `promotion.tiers must fit one transaction of ${maxWrites} items and 4 MB: send fewer tiers, shorter tiers, or fewer tiers with validation rules`,
      });
    }
    // Another request created a category of the same name. The next attempt finds it.
    return (await commit(table, effects)) ? shown : again;
  });
}

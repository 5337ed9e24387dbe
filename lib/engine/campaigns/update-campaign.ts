import { dateNames, findUpdateDateFaults, hourNames } from '#engine/rules/validity/dates.ts';
import { joinFaults, notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Starting } from '#kernel/http/context.ts';
import { type ActionItem, actionItem, newActionId, startAction } from '#kernel/kit/jobs/action.ts';
import { abandonJob, finishJob } from '#kernel/kit/jobs/endings.ts';
import type { JobContext, Work } from '#kernel/kit/jobs/run.ts';
import { noteResource } from '#kernel/kit/offers/offer-notes.ts';
import type { Write } from '#kernel/table/command.ts';
import { again, readAfterWrite, retryOptimistically } from '#kernel/table/conflicts.ts';
import { mergeEffects } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import { Update } from '#kernel/table/update.ts';
import { newVersion, versionWrites } from '#kernel/table/version-copies.ts';
import type { CampaignUpdate } from './campaign.ts';
import { type CampaignItem, campaignItem, campaigns } from './campaign.ts';
import type { UpdateCampaignBody } from './campaign-body.ts';
import { moveCampaign } from './campaign-lists.ts';
import { type Campaign, type ListTiersOf, showCampaign } from './campaign-reply.ts';
import { mergeFields } from './change-metadata.ts';
import { checkReferralRewards } from './check-referral-rewards.ts';
import { type FoundCampaign, findCampaign, setCategory } from './find-campaign.ts';
import { findVoucherDateFaults } from './voucher-content.ts';

/** `null` clears these fields. */
const clearable = ['description', ...dateNames, ...hourNames, 'access_settings'] as const;

function refuse(key: 'invalid_payload' | 'invalid_campaign', faults: readonly string[]): void {
  if (faults.length > 0) throw new ServiceError(key, { details: joinFaults(faults) });
}

/** Checks the body against the stored campaign. */
function checkAgainst(item: CampaignItem, body: UpdateCampaignBody): void {
  refuse('invalid_payload', [...findUpdateDateFaults('campaign', item, body), ...findVoucherDateFaults(item, body)]);

  const refusals: string[] = [];
  if (body.type === 'STANDALONE') refusals.push('type must be one of AUTO_UPDATE, STATIC');
  else if (body.type && item.type === 'STANDALONE') refusals.push("type of a STANDALONE campaign can't be changed");
  if (body.discount && item.voucher?.type !== 'DISCOUNT_VOUCHER') {
    refusals.push(
      `discount needs a campaign of discount vouchers, and this one's are of type ${item.voucher?.type ?? 'none'}`,
    );
  }
  if (body.discount === null && item.campaign_type === 'REFERRAL_PROGRAM') {
    refusals.push('discount is required in a REFERRAL_PROGRAM');
  }
  refuse('invalid_campaign', refusals);
}

/** Sets fields of campaigns with vouchers. A promotion ignores them. */
function setVoucherFields(
  update: CampaignUpdate,
  body: UpdateCampaignBody,
  { campaign_type, type }: CampaignItem,
): void {
  if (campaign_type === 'PROMOTION') return;
  update.take(body, ['auto_join', 'type', 'activity_duration_after_publishing', 'client_publication']);
  const isFixed = campaign_type === 'LOYALTY_PROGRAM' || type === 'STANDALONE';
  if (!isFixed) update.take(body, ['join_once']);
}

/** Sets the fields that only some kinds of campaigns have. */
function setKindFields(
  update: CampaignUpdate,
  body: UpdateCampaignBody,
  { campaign_type, voucher }: CampaignItem,
): void {
  const { discount, gift, loyalty_card } = body;
  if (discount) update.set(['voucher', 'discount'], discount);
  if (discount === null && voucher) update.remove(['voucher', 'discount']);
  if (campaign_type === 'REFERRAL_PROGRAM') update.take(body, ['referral_program']);
  if (campaign_type === 'LOYALTY_PROGRAM') update.take(body, ['loyalty_tiers_expiration']);
  if (loyalty_card && voucher) update.set(['voucher', 'loyalty_card'], loyalty_card);
  if (loyalty_card && !voucher) {
    update.whenStill('voucher', undefined).set(['voucher'], { type: 'LOYALTY_CARD', loyalty_card });
  }
  if (campaign_type !== 'GIFT_VOUCHERS' || !gift) return;
  if (!voucher) update.whenStill('voucher', undefined).set(['voucher'], { type: 'GIFT_VOUCHER', gift });
  else if (!voucher.gift) update.set(['voucher', 'gift'], gift);
  else for (const [name, value] of Object.entries(gift)) update.set(['voucher', 'gift', name], value);
}

function buildChange(
  body: UpdateCampaignBody,
  { item, categories }: FoundCampaign,
  { project, now, version, actionId }: Pick<Starting, 'project' | 'now'> & { version: string; actionId: string },
) {
  const update: CampaignUpdate = new Update().whenThere().take(body, clearable);
  setCategory(update, body, categories);

  // A sent `access_settings` replaces the assignments that a project file brought.
  if (body.access_settings !== undefined) update.remove(['access_settings_assignments']);
  setVoucherFields(update, body, item);
  setKindFields(update, body, item);

  const schema = project.schemas('campaign');
  mergeFields(update, item.metadata, { sent: body.metadata, unset: body.unset_metadata_fields, schema });

  if (dateNames.some((name) => body[name] !== undefined)) {
    for (const name of dateNames) update.whenStill(name, item[name]);
  }
  return moveCampaign(update, project.id, item.id, now.toISOString())
    .set(['modifying'], actionId)
    .set(['version'], version)
    .build();
}

/** Lets a caller that knows the campaign's kind contribute to the change. */
interface Concerned {
  /** Throws if the path does not lead to this campaign. */
  checkPath?: (item: CampaignItem) => void;
  /** Returns further writes for the same transaction. */
  beside?: (item: CampaignItem) => readonly Write[];
}

/**
 * Applies the change immediately, with a mark that makes both statuses read MODIFYING until its action removes the
 * mark. Writes only the sent fields, so that concurrent updates of different fields both survive. See
 * docs/campaigns.md#updates.
 */
export async function updateCampaign(
  context: Starting,
  idOrName: string,
  body: UpdateCampaignBody,
  listTiersOf: ListTiersOf,
  { checkPath, beside }: Concerned = {},
): Promise<Campaign> {
  const { table, project, now } = context;
  if (body.access_settings && !project.features.areas_and_stores) {
    refuse('invalid_payload', ['access_settings needs the Areas and Stores feature, which this project does not have']);
  }
  const { key, categories } = await retryOptimistically(table, async () => {
    const found = await findCampaign(context, idOrName, body);
    checkPath?.(found.item);
    checkAgainst(found.item, body);
    if (found.item.campaign_type === 'REFERRAL_PROGRAM') await checkReferralRewards(context, body.referral_program);
    const key = campaigns(project.id, found.item.id);
    const version = newVersion();
    const actionId = newActionId(now);
    const change = { key, change: buildChange(body, found, { project, now, version, actionId }) };
    const action = { id: actionId, kind: 'finish-update', type: 'CAMPAIGN.VOUCHERS_UPDATE', steps: 0 } as const;
    const started = startAction(context, { ...action, about: found.item.id });
    const others = beside?.(found.item) ?? [];
    const noted = mergeEffects(noteResource(project.id, 'campaign', { id: found.item.id, version }));
    const made = mergeEffects(found.created ?? []).map((one) => one.write);
    const writes = [
      change,
      ...versionWrites(key, version),
      started,
      ...noted.map((one) => one.write),
      ...others,
      ...made,
    ];
    const { done } = await table.commit(writes).catch((error: unknown) => {
      throw explainItemSize(error, 'the body would make the campaign');
    });
    // Otherwise the dates or the whole metadata have changed since they were read.
    return done ? { key, categories: found.categories } : again;
  });
  return readAfterWrite(async () => {
    const item = await table.get(key, campaignItem);
    if (!item) throw notFound('campaign', idOrName);
    return showCampaign(context, { item, categories }, listTiersOf);
  });
}

/** Removes the mark of the action's change, unless a later change has replaced it. */
async function unmark({ table }: JobContext, { project_id = '', about, id }: ActionItem): Promise<void> {
  const key = campaigns(project_id, about);
  const unmarked = Update.of(key).whenStill('modifying', id).remove(['modifying']);
  await table.change(key, unmarked.build());
}

/** Ends the status MODIFYING of one change. */
export const finishUpdate: Work = {
  run: async (context, job) => {
    await unmark(context, parseStored(actionItem, job));
    await finishJob(context, job);
    return 'done';
  },
  giveUp: async (context, job) => {
    await unmark(context, parseStored(actionItem, job));
    await abandonJob(context, job);
  },
};

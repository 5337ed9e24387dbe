import { randomUUID } from 'node:crypto';
import { untilAnswered } from '../conflicts.ts';
import { parseStored, type Table } from '../dynamodb.ts';
import { detailsOf, notFound, ServiceError } from '../errors.ts';
import { itemSizeTold } from '../item-size.ts';
import { type Key, keys } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import { type CampaignItem, campaignItem } from './campaign.ts';
import { dateFaults, dateNames, type UpdateCampaignBody } from './campaign-body.ts';
import { type Campaign, presentCampaign } from './campaign-reply.ts';
import { changeMetadata } from './change-metadata.ts';
import { type Context, type FoundCampaign, findCampaign, setCategory } from './find-campaign.ts';

/** What `null` clears. */
const clearable = [
  'description',
  'start_date',
  'expiration_date',
  'validity_timeframe',
  'validity_day_of_week',
  'validity_hours',
  'activity_duration_after_publishing',
  'access_settings',
] as const;

function invalid(key: 'invalid_payload' | 'invalid_campaign', faults: readonly string[]): void {
  if (faults.length > 0) throw new ServiceError(key, { details: detailsOf(faults) });
}

/** What of the body does not go with the campaign as it is stored (ruling D.3, D.6). */
function checkAgainst(item: CampaignItem, body: UpdateCampaignBody): void {
  invalid('invalid_payload', dateFaults('campaign', item, body));

  const refusals: string[] = [];
  const { type = item.type } = body;
  if (type !== item.type && (type === 'STANDALONE' || item.type === 'STANDALONE')) {
    refusals.push(`type can't be changed from ${item.type} to ${type}`);
  }
  if (body.discount && item.voucher?.type !== 'DISCOUNT_VOUCHER') {
    refusals.push(
      `discount needs a campaign of discount vouchers, and this one's are of type ${item.voucher?.type ?? 'none'}`,
    );
  }
  invalid('invalid_campaign', refusals);
}

function changeOf(body: UpdateCampaignBody, { item, categories }: FoundCampaign, now: Date) {
  const update = new UpdateExpression().whenThere().take(body, clearable);
  setCategory(update, body, categories);

  if (body.auto_join !== undefined) update.set(['auto_join'], body.auto_join);
  if (body.type !== undefined) update.set(['type'], body.type);
  const fixedJoinOnce = item.campaign_type === 'LOYALTY_PROGRAM' || item.type === 'STANDALONE';
  if (body.join_once !== undefined && !fixedJoinOnce) update.set(['join_once'], body.join_once);
  if (body.discount) update.set(['voucher', 'discount'], body.discount);
  if (body.discount === null && item.voucher) update.remove(['voucher', 'discount']);

  changeMetadata(update, item.metadata, { sent: body.metadata, unset: body.unset_metadata_fields });

  if (dateNames.some((name) => body[name] !== undefined)) {
    for (const name of dateNames) update.whenStill(name, item[name]);
  }
  return update.set(['updated_at'], now.toISOString()).set(['modifying'], randomUUID()).build();
}

/**
 * Contract, endpoint 6. Applies at once; the mark that makes both statuses read MODIFYING goes with the change, and the
 * worker takes it away. Fields that are not sent are not touched, so that concurrent updates of different fields both
 * survive.
 */
export async function updateCampaign(context: Context, idOrName: string, body: UpdateCampaignBody): Promise<Campaign> {
  const { table, project, now } = context;
  if (body.access_settings && !project.features.areas_and_stores) {
    invalid('invalid_payload', [
      'access_settings needs the Areas and Stores feature, which this project does not have',
    ]);
  }
  return untilAnswered(table, async () => {
    const found = await findCampaign(context, idOrName);
    checkAgainst(found.item, body);
    const outcome = await table
      .change(keys.campaign(project.id, found.item.id), changeOf(body, found, now))
      .catch((error: unknown) => {
        throw itemSizeTold(error, 'the body would make the campaign');
      });
    if (outcome.done) return presentCampaign(parseStored(campaignItem, outcome.item), found.categories);
    if (!outcome.item) throw notFound('campaign', idOrName);
    // What the change was made from has moved: dates, or metadata as a whole.
    return undefined;
  });
}

/** Ends the MODIFYING of one change, unless a later one has taken its place. */
export async function finishUpdate(table: Table, key: Key, modifying: string): Promise<void> {
  await table.change(key, new UpdateExpression().remove(['modifying']).whenStill('modifying', modifying).build());
}

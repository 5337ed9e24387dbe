import { randomUUID } from 'node:crypto';
import { parseStored, type Table } from '../dynamodb.ts';
import { notFound, ServiceError } from '../errors.ts';
import { type Key, keys } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import { type CampaignItem, campaignItem } from './campaign.ts';
import { areInOrder, datesOutOfOrder, timeframeNeedsStart, type UpdateCampaignBody } from './campaign-body.ts';
import { type Campaign, presentCampaign } from './campaign-reply.ts';
import { type Context, chosenCategory, type FoundCampaign, findCampaign } from './find-campaign.ts';

/** How often a change is thought through anew because the dates that it was checked against have moved. */
const maxRounds = 30;

/** What `null` clears. */
const clearable = [
  'description',
  'start_date',
  'expiration_date',
  'validity_timeframe',
  'validity_day_of_week',
  'validity_hours',
  'activity_duration_after_publishing',
] as const;

const dates = ['start_date', 'expiration_date', 'validity_timeframe'] as const;

function invalid(key: 'invalid_payload' | 'invalid_campaign', faults: readonly string[]): void {
  if (faults.length > 0) throw new ServiceError(key, { details: faults.join('; ') });
}

/** The value after the change: the body's, `undefined` where it clears, else the stored one. */
function after<K extends (typeof dates)[number]>(body: UpdateCampaignBody, item: CampaignItem, name: K) {
  const sent = body[name];
  return sent === undefined ? item[name] : (sent ?? undefined);
}

/** What of the body does not go with the campaign as it is stored (ruling D.3, D.6). */
function checkAgainst(item: CampaignItem, body: UpdateCampaignBody): void {
  const start_date = after(body, item, 'start_date');
  const faults: string[] = [];
  if (!areInOrder({ start_date, expiration_date: after(body, item, 'expiration_date') })) {
    faults.push(`expiration_date ${datesOutOfOrder}, of which one is the campaign's own`);
  }
  if (after(body, item, 'validity_timeframe') && !start_date) faults.push(`validity_timeframe ${timeframeNeedsStart}`);
  invalid('invalid_payload', faults);

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
  const update = new UpdateExpression().whenThere();
  for (const name of clearable) {
    const value = body[name];
    if (value === null) update.remove([name]);
    else if (value !== undefined) update.set([name], value);
  }
  const category = body.category_id || body.category;
  if (category) update.set(['category_id'], chosenCategory(categories, category).id);
  else if (body.category_id === null || body.category === null) update.remove(['category_id']);

  if (body.auto_join !== undefined) update.set(['auto_join'], body.auto_join);
  if (body.type !== undefined) update.set(['type'], body.type);
  const fixedJoinOnce = item.campaign_type === 'LOYALTY_PROGRAM' || item.type === 'STANDALONE';
  if (body.join_once !== undefined && !fixedJoinOnce) update.set(['join_once'], body.join_once);
  if (body.discount) update.set(['voucher', 'discount'], body.discount);
  if (body.access_settings) update.set(['access_settings'], body.access_settings);

  const unset = [...new Set(body.unset_metadata_fields ?? [])].filter((name) => name !== '');
  for (const [name, value] of Object.entries(body.metadata ?? {})) {
    if (!unset.includes(name)) update.set(['metadata', name], value);
  }
  for (const name of unset) update.remove(['metadata', name]);

  if (dates.some((name) => body[name] !== undefined)) {
    update.whenStill('start_date', item.start_date).whenStill('expiration_date', item.expiration_date);
    update.whenStill('validity_timeframe', item.validity_timeframe);
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
  for (let round = 0; round < maxRounds; round++) {
    const found = await findCampaign(context, idOrName);
    checkAgainst(found.item, body);
    const outcome = await table
      .change(keys.campaign(project.id, found.item.id), changeOf(body, found, now))
      .catch((error: unknown) => {
        throw toldBetter(error);
      });
    if (outcome.done) return presentCampaign(parseStored(campaignItem, outcome.item), found.categories);
    if (!outcome.item) throw notFound('campaign', idOrName);
  }
  throw new Error('the dates of the campaign kept moving');
}

/** DynamoDB alone knows how large the item would be with what it holds already. */
function toldBetter(error: unknown): unknown {
  if (!(error instanceof Error && error.name === 'ValidationException' && /size/i.test(error.message))) return error;
  return new ServiceError('invalid_payload', {
    details: 'metadata would make the campaign larger than the 400 KB that DynamoDB takes of an item',
  });
}

/** Ends the MODIFYING of one change, unless a later one has taken its place. */
export async function finishUpdate(table: Table, key: Key, modifying: string): Promise<void> {
  await table.change(key, new UpdateExpression().remove(['modifying']).whenStill('modifying', modifying).build());
}

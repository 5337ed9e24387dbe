import * as v from 'valibot';
import { readTerms } from '#engine/campaigns/campaign-terms.ts';
import { findProducts } from '#engine/catalogue/products/resource.ts';
import { described } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { reference } from '#kernel/core/schema.ts';
import type { Reading, Writing } from '#kernel/http/context.ts';
import { removeItem, updateItem } from '#kernel/kit/resource/item.ts';
import { createResource, listResources as listRewardsOf } from '#kernel/kit/resource/operations.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit, remove } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { listRewardProgrammes, rewardOr404 } from './find-assignment.ts';
import {
  assignedRewards,
  presentReward,
  type Reward,
  type RewardParameters,
  reward,
  rewardAssignments,
  rewards,
} from './reward.ts';
import { type createRewardBody, readRewardType, type SentParameters, type updateRewardBody } from './reward-body.ts';

function invalidBalance(rule: string): ServiceError {
  return new ServiceError('invalid_balance', { details: `parameters.campaign.balance ${rule}` });
}

/** Finds the campaign of a reward, which gives a code, or a balance of credits or points. */
async function ofCampaign(context: Reading, { id, balance }: NonNullable<SentParameters['campaign']>) {
  const campaign = (await readTerms(context, [id])).get(id);
  if (!campaign) throw notFound('campaign', id);
  const { campaign_type: type } = campaign;
  if (type === 'DISCOUNT_COUPONS') {
    if (balance) throw invalidBalance('is not allowed: the codes of a DISCOUNT_COUPONS campaign have no balance');
    return { campaign: { id, balance: null, type } };
  }
  if (type !== 'GIFT_VOUCHERS' && type !== 'LOYALTY_PROGRAM') {
    const details = 'parameters.campaign.id must name a campaign of DISCOUNT_COUPONS, GIFT_VOUCHERS or LOYALTY_PROGRAM';
    throw new ServiceError('invalid_payload', { details, resource: { id, type: 'campaign' } });
  }
  if (!balance) throw invalidBalance(`must be 1 or more for a campaign of ${type}`);
  return { campaign: { id, balance, type } };
}

/** Returns the parameters with the service's ids, whatever names the body has. */
async function ofProduct(context: Reading, { id, sku_id }: NonNullable<SentParameters['product']>) {
  const { products, skus } = await findProducts(context, { products: [id], skus: sku_id ? [sku_id] : [] });
  const product = products.get(id);
  if (!product) throw notFound('product', id);
  const found = sku_id ? skus.get(sku_id) : undefined;
  if (sku_id && found?.product.id !== product.id) throw notFound('sku', sku_id);
  return { product: { id: product.id, sku_id: found?.sku.id ?? null } };
}

/** Checks parameters. 404 for a missing resource, 400 `invalid_balance` for a balance that does not fit the campaign. */
async function resolved(context: Reading, sent: SentParameters): Promise<RewardParameters> {
  if (sent.campaign) return ofCampaign(context, sent.campaign);
  return sent.product ? ofProduct(context, sent.product) : { coin: sent.coin };
}

export async function createReward(context: Writing, body: v.InferOutput<typeof createRewardBody>): Promise<Reward> {
  const parameters = await resolved(context, body.parameters);
  return createResource(context, reward, { ...body, type: readRewardType(body.parameters), parameters });
}

/** Finds sent fields that do not fit the reward's type. */
function* faults({ parameters, stock }: v.InferOutput<typeof updateRewardBody>, type: Reward['type']) {
  if (parameters && readRewardType(parameters) !== type)
    yield `parameters must fit a ${type} reward, because the type of a reward never changes`;
  if (typeof stock === 'number' && type !== 'MATERIAL')
    yield 'stock must be left out, unless the reward is of type MATERIAL';
}

export async function updateReward(
  context: Writing,
  id: string,
  body: v.InferOutput<typeof updateRewardBody>,
): Promise<Reward> {
  const { type } = await rewardOr404(context, id);
  for (const details of faults(body, type)) throw new ServiceError('invalid_payload', { details });
  const given = body.parameters ? { parameters: await resolved(context, body.parameters) } : {};
  const changed = await updateItem(context, reward, id, { ...body, ...given });
  return presentReward(v.parse(reward.stored, changed));
}

/** Limits the assignments that an error names. */
const maxNamed = 100;

/** Throws 400 `resource_in_use` if an existing programme has the reward. */
export async function deleteReward(context: Writing, id: string): Promise<void> {
  const { table, project } = context;
  await retryOptimistically(table, async () => {
    const before = await rewardOr404(context, id);
    const { standing, gone } = await listRewardProgrammes(context, id);
    if (standing.length > 0) {
      throw new ServiceError('resource_in_use', {
        details: `the reward is assigned to loyalty campaigns, by ${standing.length} reward assignments`,
        resource: { id, type: reward.name },
        related: { ids: standing.slice(0, maxNamed).map((one) => one.id), type: 'reward_assignment' },
      });
    }
    const rest = gone.slice(0, 90).map((one) => remove(assignedRewards(project.id, id, one.id), (update) => update));
    return (await commit(table, [...removeItem(reward, project.id, before), ...rest])) || again;
  });
}

export const rewardQuery = v.object({
  ...reward.listQuery.entries,
  assignment_id: described(v.optional(reference), 'Only the reward of the reward assignment with this id.'),
});

export async function listRewards(context: Reading, query: v.InferOutput<typeof rewardQuery>) {
  const { assignment_id: wanted } = query;
  if (wanted === undefined) return listRewardsOf(context, reward, query);
  const { table, project } = context;
  const { assignment } = await read(table, { assignment: rewardAssignments(project.id, wanted) });
  const { item } = await read(table, { item: assignment && rewards(project.id, assignment.reward_id) });
  const all = item ? [presentReward(item)] : [];
  const data = query.page === 1 ? all : [];
  return v.parse(reward.listReply, { object: 'list', data_ref: 'data', data, total: all.length, has_more: false });
}

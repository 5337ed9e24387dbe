import { category } from '#engine/rules/categories/resource.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { removeItem, saveItem } from '#kernel/kit/resource/item.ts';
import { type Again, again, readAfterWrite, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, check, commit, type Effect } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { ItemKey } from '#kernel/table/kind.ts';
import { read } from '#kernel/table/read.ts';
import { campaigns } from '../campaign.ts';
import {
  type CreateStackBody,
  type PromotionStack,
  promotionStack,
  promotionTiers,
  type ShownStack,
  stackGuards,
  type UpdateStackBody,
} from '../promotions/promotion-tier.ts';
import { promotionOr404, showStack, stackOr404 } from './show-stacks.ts';

/** Names a stack in a path. */
interface Place {
  readonly campaignId: string;
  readonly stackId: string;
}

function checkExists(key: ItemKey, type: string, id: string): Effect {
  return check(
    key,
    (update) => update.whenThere(),
    () => notFound(type, id),
  );
}

/** Checks that the named items exist until the stack is written and that the tiers belong to the campaign, else answers 404. */
async function checkNamed(
  { table, project }: Reading,
  campaignId: string,
  { tiers, category_id }: UpdateStackBody,
): Promise<Effect[]> {
  const ids = tiers?.ids ?? [];
  const found = await read(table, {
    tiers: ids.map((id) => promotionTiers(project.id, id)),
    category: category_id ? category.few(project.id, category_id) : undefined,
  });
  const unknown = ids.find((_, index) => found.tiers[index]?.campaign_id !== campaignId);
  if (unknown !== undefined) throw notFound('promotion_tier', unknown);
  if (category_id && !found.category) throw notFound(category.name, category_id);
  return [
    checkExists(campaigns(project.id, campaignId), 'campaign', campaignId),
    ...ids.map((id) => checkExists(promotionTiers(project.id, id), 'promotion_tier', id)),
    ...(category_id ? [checkExists(category.few(project.id, category_id), category.name, category_id)] : []),
    ...(ids.length > 0 ? [change(stackGuards(project.id), (update) => update.add('revision', 1))] : []),
  ];
}

async function save(
  context: Reading,
  campaignId: string,
  before: PromotionStack | undefined,
  sent: UpdateStackBody,
): Promise<PromotionStack | Again> {
  const checked = await checkNamed(context, campaignId, sent);
  const { after, effects } = saveItem(context, promotionStack, before, { ...sent, campaign_id: campaignId });
  const done = await commit(context.table, [...effects, ...checked]);
  return done ? parseStored(promotionStack.stored, after) : again;
}

/** Creates a stack. Answers 404 for a missing campaign, tier or category, and for a tier of another campaign. */
export async function createStack(context: Reading, idOrName: string, body: CreateStackBody): Promise<ShownStack> {
  const stack = await retryOptimistically(context.table, async () =>
    save(context, await promotionOr404(context, idOrName), undefined, body),
  );
  return readAfterWrite(() => showStack(context, stack));
}

/** Changes the sent fields. `null` removes the category. */
export async function updateStack(
  context: Reading,
  { campaignId, stackId }: Place,
  body: UpdateStackBody,
): Promise<ShownStack> {
  const stack = await retryOptimistically(context.table, async () => {
    const id = await promotionOr404(context, campaignId);
    return save(context, id, await stackOr404(context, id, stackId), body);
  });
  return readAfterWrite(() => showStack(context, stack));
}

export async function deleteStack(context: Reading, { campaignId, stackId }: Place): Promise<void> {
  const { table, project } = context;
  await retryOptimistically(table, async () => {
    const before = await stackOr404(context, await promotionOr404(context, campaignId), stackId);
    return (await commit(table, removeItem(promotionStack, project.id, before))) || again;
  });
}

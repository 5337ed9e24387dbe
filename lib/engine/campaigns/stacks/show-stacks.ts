import * as v from 'valibot';
import { findCountingCategory, readCategories } from '#engine/rules/categories/resource.ts';
import { described } from '#kernel/core/documented.ts';
import { notFound } from '#kernel/core/errors.ts';
import { wrapList } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { computeOffset, dateRange, isWithin, pageQuery } from '#kernel/http/page.ts';
import { compileFilter, filterQuery } from '#kernel/kit/filters/filter.ts';
import { readFew } from '#kernel/kit/resource/operations.ts';
import { read } from '#kernel/table/read.ts';
import { readTerms } from '../campaign-terms.ts';
import { campaignOr404 } from '../find-campaign.ts';
import { type PromotionStack, promotionStack, type ShownStack } from '../promotions/promotion-tier.ts';

const fields = { created_at: 'date', updated_at: 'date' } as const;
const { order } = promotionStack.listQuery.entries;

export const stacksQuery = v.object({
  ...pageQuery,
  order,
  created_at: described(dateRange, 'Only stacks created strictly before, or after.'),
  updated_at: described(dateRange, 'Only stacks changed strictly before, or after.'),
  filters: v.optional(filterQuery<PromotionStack>(fields)),
});

type StacksQuery = v.InferOutput<typeof stacksQuery>;

/** Returns the stacks with the categories that still exist. */
async function showStacks(context: Reading, stacks: readonly PromotionStack[]): Promise<ShownStack[]> {
  const categories = await readCategories(
    context,
    stacks.map(({ category_id }) => category_id),
  );
  return stacks.map(({ revision, children, category_id, ...stack }) => {
    const category = findCountingCategory(categories, [category_id]);
    return {
      ...stack,
      category_id: category?.id ?? null,
      categories: category ? [category] : [],
      object: 'promotion_stack',
    };
  });
}

/** Sorts by a field, then by id. Ids sort by creation. */
function sortStacks(stacks: readonly PromotionStack[], wanted: string): PromotionStack[] {
  const field = wanted.replace('-', '');
  const readPlace = ({ id, name, created_at, updated_at = created_at }: PromotionStack) => {
    const values: Readonly<Record<string, string>> = { name, created_at, updated_at };
    return [values[field] ?? '', id] as const;
  };
  const compared = (one: PromotionStack, other: PromotionStack) => {
    const [[a, first], [b, second]] = [readPlace(one), readPlace(other)];
    return a === b ? (first < second ? -1 : 1) : a < b ? -1 : 1;
  };
  const sorted = stacks.toSorted(compared);
  return wanted.startsWith('-') ? sorted.reverse() : sorted;
}

const newestFirst = '-created_at';

/** Returns a page of the project's stacks. Leaves out stacks of deleted campaigns. */
export async function listStacks(context: Reading, query: StacksQuery) {
  const { order: wanted = newestFirst, created_at, updated_at, filters = {} } = query;
  const matches = compileFilter<PromotionStack>(fields, filters);
  const found = (await readFew(context, promotionStack)).filter(
    (one) => isWithin(created_at, one.created_at) && isWithin(updated_at, one.updated_at) && matches(one, context.now),
  );
  const campaigns = await readTerms(
    context,
    found.map(({ campaign_id }) => campaign_id),
  );
  const there = sortStacks(
    found.filter(({ campaign_id }) => campaigns.has(campaign_id)),
    wanted,
  );
  const offset = computeOffset(query);
  return wrapList(await showStacks(context, there.slice(offset, offset + query.limit)), there.length);
}

/** Returns the id of the promotion that a path names. Answers 404 for other kinds of campaigns, which have no stacks. */
export async function promotionOr404(context: Reading, idOrName: string): Promise<string> {
  const { id, campaign_type } = await campaignOr404(context, idOrName);
  if (campaign_type !== 'PROMOTION') throw notFound('campaign', idOrName);
  return id;
}

/** Lists all stacks of a campaign, newest first. */
export async function listStacksOf(context: Reading, idOrName: string) {
  const campaignId = await promotionOr404(context, idOrName);
  const own = (await readFew(context, promotionStack)).filter(({ campaign_id }) => campaign_id === campaignId);
  return wrapList(await showStacks(context, sortStacks(own, newestFirst)));
}

/** Returns a stack of a campaign. Answers 404 if it is missing or belongs to another campaign. */
export async function stackOr404(
  { table, project }: Reading,
  campaignId: string,
  stackId: string,
): Promise<PromotionStack> {
  const { stack } = await read(table, { stack: promotionStack.few(project.id, stackId) });
  if (stack?.campaign_id !== campaignId) throw notFound('promotion_stack', stackId);
  return stack;
}

export async function getStack(context: Reading, { campaignId, stackId }: { campaignId: string; stackId: string }) {
  const stack = await stackOr404(context, await promotionOr404(context, campaignId), stackId);
  return showStack(context, stack);
}

export async function showStack(context: Reading, stack: PromotionStack): Promise<ShownStack> {
  const [shown] = await showStacks(context, [stack]);
  if (!shown) throw new Error('a stack is shown');
  return shown;
}

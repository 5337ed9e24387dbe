import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { count } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { cursorQuery, limitQuery, moreEntries, presentMore, sentBoolean, unknownCursor } from '#kernel/http/page.ts';
import { compileFilter } from '#kernel/kit/filters/filter.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { itemOr404 } from '#kernel/kit/resource/item.ts';
import { readFew } from '#kernel/kit/resource/operations.ts';
import { presentResource, type Values } from '#kernel/kit/resource/shape.ts';
import { type CampaignTemplate, campaignTemplate } from './resource.ts';

export type ShownTemplate = v.InferOutput<typeof campaignTemplate.reply>;

/** Names the fields that filter the list of templates. */
const templateFields = { id: 'text', name: 'text', campaign_type: 'text' } as const;

export const templatesListed = listed({
  key: 'data',
  element: campaignTemplate.reply,
  paging: { ...limitQuery, ...cursorQuery },
  orders: ['id'],
  byDefault: 'id',
  parameters: {
    include_total: described(v.optional(sentBoolean, 'false'), 'Counts the templates that pass the filters.'),
  },
  filters: templateFields,
  place: { ...moreEntries, total: v.optional(count) },
});

export const templateQuery = v.object({
  expand: described(
    v.optional(v.picklist(['json_template'])),
    'Shows the copies that the template keeps as `json_template`.',
  ),
});

/** Shows a template without its content. */
export function showTemplate(item: Values): ShownTemplate {
  return presentResource(campaignTemplate, item);
}

/** Returns a template. Answers 404 if it is missing. */
export async function getTemplate(
  context: Reading,
  id: string,
  { expand }: v.InferOutput<typeof templateQuery>,
): Promise<ShownTemplate> {
  const item = await itemOr404(context, campaignTemplate, id);
  return showTemplate(expand ? { ...item, json_template: item.content } : item);
}

/** Lists the templates of the project, the oldest first unless the query says otherwise. */
export async function listTemplates(
  context: Pick<Reading, 'table' | 'project' | 'now'>,
  query: v.InferOutput<typeof templatesListed.query>,
) {
  const { filters = {}, starting_after_id, include_total } = query;
  const { limit, descending } = templatesListed.wanted(query);
  const takes = compileFilter<CampaignTemplate>(templateFields, filters);
  const all = (await readFew(context, campaignTemplate)).sort((one, other) => (one.id < other.id ? -1 : 1));
  if (descending) all.reverse();
  const start = starting_after_id === undefined ? 0 : all.findIndex(({ id }) => id === starting_after_id) + 1;
  if (starting_after_id !== undefined && start === 0) throw unknownCursor(campaignTemplate.name);
  const passing = (some: readonly CampaignTemplate[]) => some.filter((one) => takes(one, context.now));
  const found = passing(all.slice(start));
  const page = found.slice(0, limit);
  return templatesListed.show(page.map(showTemplate), {
    ...presentMore(found.length > limit ? page.at(-1)?.id : undefined),
    ...(include_total ? { total: passing(all).length } : {}),
  });
}

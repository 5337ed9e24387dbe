import type * as v from 'valibot';
import { notFound } from '../../core/errors.ts';
import type { Reading } from '../../http/context.ts';
import { sortKey, walkList } from '../../table/listing.ts';
import { read, readItemsOf } from '../../table/read.ts';
import { readCreatedCategories, readFailedRows } from '../bulk/job.ts';
import { actions, actionsByTime } from '../jobs/action.ts';
import type { actionsQuery, actionsReply, asyncAction } from './async-action.ts';
import { presentAction, presentListed } from './async-action.ts';

/** Lists actions, newest first. `end_date` excludes actions that started then or later. */
export async function listActions(
  { table, project }: Reading,
  { limit, end_date }: v.InferOutput<typeof actionsQuery>,
): Promise<v.InferOutput<typeof actionsReply>> {
  const range = { descending: true, ...(end_date === undefined ? {} : { to: sortKey(end_date) }) };
  const found = [];
  for await (const entry of walkList(table, actionsByTime, [project.id], { ...range, atOnce: limit + 1 })) {
    found.push(entry);
    if (found.length > limit) break;
  }
  const items = await readItemsOf(table, actions, found.slice(0, limit));
  return {
    object: 'list',
    data_ref: 'async_actions',
    async_actions: items.flatMap((item) => (item ? [presentListed(item)] : [])),
    has_more: found.length > limit,
  };
}

/** Returns an action. 404 if the project has none with this id, or it ended long ago. */
export async function getAction(
  { table, project, now }: Reading,
  id: string,
): Promise<v.InferOutput<typeof asyncAction>> {
  const { action } = await read(table, { action: actions(project.id, id) });
  if (!action) throw notFound('async_action', id);
  const hasRows = action.kind === 'bulk' && action.state !== 'OPEN';
  const [failed, created] = hasRows
    ? await Promise.all([readFailedRows(table, project.id, id), readCreatedCategories(table, project.id, id)])
    : [];
  return presentAction(action, failed && { failed, created: created ?? [] }, now);
}

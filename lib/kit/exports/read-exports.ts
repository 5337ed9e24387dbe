import * as v from 'valibot';
import { described } from '../../core/documented.ts';
import { notFound } from '../../core/errors.ts';
import type { Files } from '../../core/files/files.ts';
import { count } from '../../core/schema.ts';
import type { Reading } from '../../http/context.ts';
import { offsetOf, pageQuery } from '../../http/page.ts';
import { commit, remove } from '../../table/effects.ts';
import { parseStored } from '../../table/item.ts';
import { readListPage } from '../../table/list-page.ts';
import { read } from '../../table/read.ts';
import {
  type Export,
  type ExportItem,
  exportFile,
  exportItem,
  exportKey,
  exportLists,
  exportReply,
  partFile,
  presentExport,
} from './export.ts';

type Context = Reading & { readonly files: Files };

async function found({ table, project }: Reading, id: string): Promise<ExportItem> {
  const { item } = await read(table, { item: exportKey(project.id, id) });
  if (!item) throw notFound('export', id);
  return item;
}

export async function getExport(context: Context, id: string): Promise<Export> {
  return presentExport(await found(context, id), context.project.id, context.files);
}

const orders = ['created_at', '-created_at', 'status', '-status'] as const;

export const exportsQuery = v.object({
  ...pageQuery,
  order: described(v.optional(v.picklist(orders), '-created_at'), 'By which field; a leading dash means descending.'),
});

export const exportsReply = v.object({
  object: v.literal('list'),
  data_ref: v.literal('exports'),
  exports: v.array(exportReply),
  total: count,
});

export async function listExports(
  { table, project, files }: Context,
  query: v.InferOutput<typeof exportsQuery>,
): Promise<v.InferOutput<typeof exportsReply>> {
  const { order, limit } = query;
  const list = order === 'status' || order === '-status' ? exportLists.status : exportLists.created_at;
  const { page, total } = await readListPage(
    table,
    { list, counted: exportLists.created_at, owner: [project.id] },
    { limit, offset: offsetOf(query), descending: order.startsWith('-') },
  );
  const items = await table.getMany(page.map(({ key }) => key));
  const there = items.filter((item) => item !== undefined).map((item) => parseStored(exportItem, item));
  const exports = await Promise.all(there.map((item) => presentExport(item, project.id, files)));
  return { object: 'list', data_ref: 'exports', exports, total };
}

/** Removes the file first, so that no deleted export has one. A worker that makes it at this moment removes it again. */
export async function deleteExport(context: Context, id: string): Promise<void> {
  const { table, project, files } = context;
  const { parts } = await found(context, id);
  await Promise.all(
    [exportFile(project.id, id), ...parts.map((part) => partFile(project.id, id, part))].map(files.remove),
  );
  const isGone = () => notFound('export', id);
  await commit(table, [remove(exportKey(project.id, id), (update) => update.whenThere(), isGone)]);
}

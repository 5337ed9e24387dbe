import type * as v from 'valibot';
import { notFound } from '#kernel/core/errors.ts';
import type { Files } from '#kernel/core/files/files.ts';
import { count } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { pageQuery, readParsedPage } from '#kernel/http/page.ts';
import { commit, remove } from '#kernel/table/effects.ts';
import { readListPage } from '#kernel/table/list-page.ts';
import { read } from '#kernel/table/read.ts';
import { listed } from '../lists/listed.ts';
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

export const exportsListed = listed({
  key: 'exports',
  element: exportReply,
  paging: pageQuery,
  orders: ['created_at', 'status'],
  byDefault: '-created_at',
  place: { total: count },
});

export async function listExports(
  { table, project, files }: Context,
  query: v.InferOutput<typeof exportsListed.query>,
) {
  const { field } = exportsListed.orderIn(query);
  const { page, total } = await readListPage(
    table,
    { list: exportLists[field], counted: exportLists.created_at, owner: [project.id] },
    exportsListed.wanted(query),
  );
  const keys = page.map(({ key }) => key);
  const items = await readParsedPage(table, exportItem, keys);
  const exports = await Promise.all(items.map((item) => presentExport(item, project.id, files)));
  return exportsListed.show(exports, { total });
}

/**
 * Removes the file first, so that no deleted export has a file. A worker that makes it at this moment removes it again.
 */
export async function deleteExport(context: Context, id: string): Promise<void> {
  const { table, project, files } = context;
  const { parts } = await found(context, id);
  await Promise.all(
    [exportFile(project.id, id), ...parts.map((part) => partFile(project.id, id, part))].map(files.remove),
  );
  const isGone = () => notFound('export', id);
  await commit(table, [remove(exportKey(project.id, id), (update) => update.whenThere(), isGone)]);
}

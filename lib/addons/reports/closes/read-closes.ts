import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Files } from '#kernel/core/files/files.ts';
import { count, reference } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { pageQuery, readParsedPage } from '#kernel/http/page.ts';
import { listed } from '#kernel/kit/lists/listed.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { change, commit, remove } from '#kernel/table/effects.ts';
import { readListPage } from '#kernel/table/list-page.ts';
import { read } from '#kernel/table/read.ts';
import {
  type Close,
  closeBooks,
  closeItem,
  closeLists,
  closeReply,
  closes,
  journalFile,
  presentClose,
  statementFile,
} from './close.ts';

type Context = Reading & { readonly files: Files };

export async function getClose({ table, project, now, files }: Context, id: string): Promise<Close> {
  const { item } = await read(table, { item: closes(project.id, id) });
  if (!item) throw notFound('points_close', id);
  return presentClose(item, { projectId: project.id, now, files });
}

export const closesListed = listed({
  key: 'closes',
  element: closeReply,
  paging: pageQuery,
  orders: ['created_at'],
  byDefault: '-created_at',
  parameters: {
    campaign_id: described(v.optional(reference), 'Only closes of the loyalty campaign with this id.'),
  },
  place: { total: count },
});

export async function listCloses(
  { table, project, now, files }: Context,
  query: v.InferOutput<typeof closesListed.query>,
) {
  const { campaign_id } = query;
  const source =
    campaign_id === undefined
      ? { list: closeLists.all, owner: [project.id] as const }
      : { list: closeLists.ofCampaign, owner: [project.id, campaign_id] as const };
  const { page, total } = await readListPage(table, source, closesListed.wanted(query));
  const items = await readParsedPage(
    table,
    closeItem,
    page.map(({ key }) => key),
  );
  const shown = await Promise.all(items.map((item) => presentClose(item, { projectId: project.id, now, files })));
  return closesListed.show(shown, { total });
}

/**
 * Deletes the last close of a programme, so that it can be made again. Answers 409 for an earlier close, because later
 * closes continue with its figures. A worker that makes the files at this moment removes them again.
 */
export async function deleteClose({ table, project, files }: Context, id: string): Promise<void> {
  await retryOptimistically(table, async () => {
    const { item } = await read(table, { item: closes(project.id, id) });
    if (!item) throw notFound('points_close', id);
    const books = closeBooks(project.id, item.campaign_id);
    const { known } = await read(table, { known: books });
    if (known?.last !== id) {
      throw new ServiceError('points_close_followed', {
        details: `the close ${known?.last} follows: delete the later closes first, beginning with the last`,
        resource: { id, type: 'points_close' },
      });
    }
    await Promise.all([statementFile(project.id, id), journalFile(project.id, id)].map(files.remove));
    const done = await commit(table, [
      change(books, (update) => update.whenStill('last', id).take({ last: item.previous?.close_id ?? null }, ['last'])),
      remove(closes(project.id, id), (update) => update.whenThere()),
    ]);
    return done || again;
  });
}

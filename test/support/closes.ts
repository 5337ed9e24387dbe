import { expect } from 'vitest';
import {
  type Close,
  closeBooks,
  closeItem,
  closes,
  journalFile,
  placeClose,
  statementFile,
} from '#addons/reports/closes/close.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as createHandler } from '../../functions/reports/create-close.ts';
import { handler as estimateHandler } from '../../functions/reports/create-liability-estimate.ts';
import { handler as deleteHandler } from '../../functions/reports/delete-close.ts';
import { handler as getHandler } from '../../functions/reports/get-close.ts';
import { handler as listHandler } from '../../functions/reports/list-closes.ts';
import { caller } from './call.ts';
import { standingClock, testDependencies, testTime } from './dependencies.ts';
import { type Club, card, newClub, programme } from './loyalty.ts';
import { runOutbox } from './outbox.ts';

/** The ids of the documented examples: one close to read, and one to delete. */
export const exampleCloses = ['close_of_the_example', 'close_no_longer_needed'] as const;

/** Inserts finished closes of two campaigns, because no project file brings them. */
export async function insertCloses(projectId: string, { dynamodb, tableName }: Dependencies, mark = '') {
  const [created_at, from] = [testTime.toISOString(), '2026-04-01T00:00:00.000Z'];
  const effects = exampleCloses.flatMap((name) => {
    const [id, campaign_id] = [name + mark, `camp_of_${name}`];
    const item = parseStored(closeItem, {
      ...{ id, campaign_id, campaign: 'Closed', from, at: '2026-05-01T00:00:00.000Z', timezone: 'UTC', created_at },
      ...{ status: 'DONE', sums: { cards: 0, opening: 0, periods: [] } },
    });
    return [
      insert(closes(projectId, id), { ...item, ...placeClose(projectId, item) }),
      insert(closeBooks(projectId, campaign_id), { last: id }),
    ];
  });
  await commit(new Table(dynamodb, tableName, testTime), effects);
}

const created_at = '2026-01-10T00:00:00.000Z';

/** Opens a programme with these cards at this time. */
export function openClosing(
  at: string,
  cards: Record<string, Parameters<typeof card>[1]> = { A: 100 },
  more: object = {},
) {
  const clock = standingClock(new Date(at));
  const vouchers = Object.entries(cards).map(([code, points]) => card(code, points, { created_at, ...more }));
  return newClub(
    { vouchers, campaigns: [programme('camp_club'), programme('camp_other')] },
    testDependencies({ clock }),
  );
}

export const advance = ({ dependencies }: Club, time: string) => {
  (dependencies.clock as ReturnType<typeof standingClock>).set(time);
};

export async function listCloses({ project, dependencies }: Club, query: string) {
  return (await caller(listHandler, dependencies)({ headers: project.credentials, query })).body;
}

/** Returns an operator's calls about closes of a club. */
export function closing({ project, dependencies }: Club) {
  const headers = project.credentials;
  const create = caller(createHandler, dependencies);
  const get = caller(getHandler, dependencies);
  const remove = caller(deleteHandler, dependencies);
  const estimate = caller(estimateHandler, dependencies);
  const read = async (id: string): Promise<Close> => (await get({ headers, params: { closeId: id } })).body;
  const start = (body: object = {}) => create({ headers, body: { campaign_id: 'camp_club', ...body } });
  const lines = async (file: ReturnType<typeof statementFile>) =>
    (await dependencies.files.read(file)).trimEnd().split('\r\n');
  return {
    start,
    read,
    remove: (closeId: string) => remove({ headers, params: { closeId } }),
    estimate: (body: object) =>
      estimate({
        headers,
        body: {
          ...{ campaign_id: 'camp_club', valid_from: '2026-01-01', expected_per_10000: 9_700 },
          ...{ point_price: { amount: 1, points: 1 }, author: 'Finance' },
          ...body,
        },
      }),
    /** Makes a close to its end. */
    close: async (body: object = {}): Promise<Close> => {
      const reply = await start(body);
      expect([reply.status, reply.body.details]).toEqual([200, undefined]);
      await runOutbox(project.id, dependencies);
      const close = await read(reply.body.id);
      expect(close.status).toBe('DONE');
      return close;
    },
    statement: (id: string) => lines(statementFile(project.id, id)),
    journal: (id: string) => lines(journalFile(project.id, id)),
  };
}

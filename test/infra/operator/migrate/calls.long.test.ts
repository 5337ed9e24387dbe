import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { collect } from '../../../../infra/operator/migrate/collect.ts';
import { linesIn } from '../../../../infra/operator/migrate/json-lines.ts';
import { Source } from '../../../../infra/operator/migrate/source.ts';
import { Progress } from '../../../../infra/operator/migrate/state.ts';
import { type Asked, type Given, serveReplies, timeless } from '../../../support/served-replies.ts';

/** A model of a source with the lists of a large shop. Its files are small, because downloads do not count as calls. */
const orders = 20_000;
const pendingPoints = 10_000;

const open: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(open.splice(0).map((close) => close())));

const momentOf = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString();
const orderAt = (index: number) => ({ id: `ord_${index}`, created_at: momentOf(index), items: [{ amount: 1 }] });

/** Gives the newest first, by a hundred pages, and within windows. */
function pageOfOrders({ query }: Asked): Given {
  const before = query.get('filters[created_at][conditions][$before][0]');
  const count = before ? Math.min(orders, Math.ceil((Date.parse(before) - Date.UTC(2026, 0, 1)) / 1_000)) : orders;
  const from = (Number(query.get('page') ?? 1) - 1) * 100;
  const rows = Array.from({ length: Math.min(100, count - from) }, (_, at) => orderAt(count - 1 - from - at));
  return { json: { data_ref: 'orders', orders: rows, total: count } };
}

function pageOfPending({ query }: Asked): Given {
  const from = Number(query.get('starting_after_id') ?? 0);
  const data = Array.from({ length: 100 }, (_, at) => ({ id: `lopp_${from + at}`, points: 1 }));
  const next = from + data.length;
  const isMore = next < pendingPoints;
  return { json: { data_ref: 'data', data, has_more: isMore, ...(isMore ? { more_starting_after: `${next}` } : {}) } };
}

const titleOf = (field: string) => field.replaceAll('_', ' ');

async function largeSource({ exportsLines }: { exportsLines: boolean }) {
  const files = new Map<string, string>();
  const served = await serveReplies((asked): Given => {
    const { method, path, body } = asked;
    if (path === '/v1/exports' && method === 'POST') {
      const { exported_object: object, parameters } = JSON.parse(body);
      if (!exportsLines && parameters.fields.includes('items')) return { status: 400, json: { key: 'invalid' } };
      const lines = Array.from({ length: object === 'order' ? orders : 0 }, (_, at) =>
        parameters.fields
          .map((field: string) => Reflect.get(orderAt(at), field) ?? '')
          .map((cell: unknown) => (typeof cell === 'string' ? cell : '[]')),
      );
      const id = `exp_${files.size}`;
      files.set(id, [parameters.fields.map(titleOf), ...lines].map((cells) => `${cells.join(',')}\r\n`).join(''));
      return { json: { id, status: 'SCHEDULED' } };
    }
    const [, id = ''] = /^\/(?:v1\/exports|files)\/(\w+)$/.exec(path) ?? [];
    if (path.startsWith('/files/')) return { text: files.get(id) ?? '' };
    if (path.startsWith('/v1/exports/')) return { json: { id, status: 'DONE', result: { url: `/files/${id}` } } };
    if (path === '/v1/orders') return pageOfOrders(asked);
    if (path.endsWith('/pending-points')) return pageOfPending(asked);
    const data = path === '/v1/campaigns' ? [{ id: 'camp_club', campaign_type: 'LOYALTY_PROGRAM' }] : [];
    return { json: { data_ref: 'data', data, total: data.length, stacking_rules: {} } };
  });
  open.push(served.close);
  const folder = await mkdtemp(join(tmpdir(), 'tessera-calls-'));
  open.push(() => rm(folder, { recursive: true }));
  const source = new Source({ url: served.url, appId: 'a', appToken: 'b', callsPerMinute: 100, clock: timeless() });
  const progress = await Progress.open(folder, { from: served.url, project: 'proj_large' });
  await collect(source, progress, () => {});
  expect(progress.refused).toEqual([]);
  return { source, progress };
}

test(`${orders} orders and ${pendingPoints} pending points take less than 150 calls, if the export has the lines of orders`, async () => {
  const { source } = await largeSource({ exportsLines: true });
  expect(source.calls).toBeLessThan(150);
});

test('a source without lines in its export is asked for each page of orders once more, and each order is read', async () => {
  const { source, progress } = await largeSource({ exportsLines: false });
  expect(source.calls).toBeLessThan(350);
  const ids = new Set<unknown>();
  for await (const { id } of linesIn(progress.path('order_lines.jsonl'))) ids.add(id);
  expect(ids.size).toBe(orders);
});

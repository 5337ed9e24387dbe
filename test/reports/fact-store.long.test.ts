import { appendFile, cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { factTables, makeFact } from '#addons/reports/facts/fact-tables.ts';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import type { ReportEngine } from '#kernel/core/reports.ts';
import type { FactStore } from '../../infra/local/facts/fact-store.ts';
import { openReader } from '../../infra/local/facts/read-facts.ts';
import { changesOf } from '../support/changes.ts';
import { operate } from '../support/operator.ts';
import { recordOf } from '../support/outbox.ts';
import { redemption } from './facts.ts';
import { noFault, openStore } from './world.ts';

const at = (time: string) => Date.parse(time);

function ask(
  engine: Pick<ReportEngine, 'query'>,
  projectId = 'proj',
  parameters: Record<string, string | bigint | null> = {},
) {
  return engine.query({
    name: 'redemptions',
    projectId,
    days: { all: {} },
    parameters: {
      ...{ from_ms: 0n, to_ms: BigInt(at('2100-01-01')), by: 'day', timezone: 'Europe/Oslo', campaign_id: null },
      ...{ order: 'group', most: 100n, offset: 0n },
      ...parameters,
    },
  });
}

const countUses = async (engine: Pick<ReportEngine, 'query'>, projectId?: string) =>
  (await ask(engine, projectId)).reduce((sum, { uses }) => sum + Number(uses), 0);

const journalsIn = async (path: string) =>
  (await readdir(join(path, 'journal'))).filter((name) => name.endsWith('.jsonl'));

describe('a fact', () => {
  test('counts once, however often it comes: in a batch, in the journal, and after it was packed', async () => {
    const { store } = await openStore();
    await store.keep([redemption('r_1'), redemption('r_1'), redemption('r_2')]);
    expect(await countUses(store)).toBe(2);
    await store.keep([redemption('r_1')]);
    expect(await countUses(store)).toBe(2);
    await store.pack();
    await store.keep([redemption('r_2'), redemption('r_3')]);
    expect(await countUses(store)).toBe(3);
    await store.pack();
    await store.pack();
    expect(await countUses(store)).toBe(3);
  });

  test('counts on its day in the zone of the question, with texts of any form', async () => {
    const { store } = await openStore();
    const odd = `it's\n"odd", ${'\u0000'}; DROP TABLE redemptions; --`;
    await store.keep([redemption('r_1', { code: odd })]);
    await store.pack();
    expect(await ask(store)).toMatchObject([{ group_key: '2026-06-02', uses: 1, orders_amount_minor: 2_000 }]);
    expect(await ask(store, 'proj', { timezone: 'UTC' })).toMatchObject([{ group_key: '2026-06-01' }]);
    expect(await ask(store, 'proj', { by: 'code' })).toMatchObject([{ group_key: odd }]);
  });

  test('of another project is out of reach, whatever a parameter says', async () => {
    const { store } = await openStore();
    await store.keep([redemption('r_1'), redemption('r_2', {}, 'other'), redemption('r_3', {}, '../proj')]);
    await store.pack();
    expect(await countUses(store)).toBe(1);
    const hostile = `' OR 1=1; COPY redemptions TO 'x'; --`;
    expect(await ask(store, 'proj', { campaign_id: hostile })).toEqual([]);
    expect(await countUses(store, "other' OR '1'='1")).toBe(0);
    await store.removeProject('proj');
    expect([await countUses(store), await countUses(store, 'other')]).toEqual([0, 1]);
  });
});

describe('a kill', () => {
  async function reopen(store: FactStore, path: string) {
    await store.end();
    return (await openStore(path)).store;
  }

  test('that leaves half a line loses no other fact', async () => {
    const { store, path } = await openStore();
    await store.keep([redemption('r_1')]);
    const [name = ''] = await journalsIn(path);
    await appendFile(join(path, 'journal', name), '{"project":"proj","day":"2026-06-01","fact_id":"r_2","us');
    const next = (await openStore(path)).store;
    await next.keep([redemption('r_2')]);
    expect(await countUses(next)).toBe(2);
    await next.pack();
    expect([await countUses(next), await journalsIn(path)]).toEqual([2, []]);
  });

  test('between the new file and the end of the journal doubles nothing', async () => {
    const { store, path } = await openStore();
    await store.keep([redemption('r_1'), redemption('r_2')]);
    await cp(join(path, 'journal'), join(path, 'copy'), { recursive: true });
    await store.pack();
    await cp(join(path, 'copy'), join(path, 'journal'), { recursive: true });
    expect(await countUses(store)).toBe(2);
    const next = (await openStore(path)).store;
    await next.pack();
    expect(await countUses(next)).toBe(2);
    await rm(join(path, 'copy'), { recursive: true });
  });

  test('keeps the position: records of the stream that come again are passed over', async () => {
    const { store, path } = await openStore();
    const item = {
      ...{ pk: 'proj#REDEMPTION#r_1', sk: 'REDEMPTION', kind: 'REDEMPTION', project: 'proj', id: 'r_1' },
      ...{ object: 'redemption', date: '2026-06-15T12:00:00.000Z', result: 'SUCCESS' },
      channel: { channel_id: 'app', channel_type: 'API' },
    };
    const record = recordOf(item);
    const numbered = { ...record, dynamodb: { ...record.dynamodb, SequenceNumber: '100000000000000000001' } };
    await store.keepChanges(changesOf([numbered]), 'shard', noFault);
    const written = await journalsIn(path);
    const next = await reopen(store, path);
    await next.keepChanges(changesOf([numbered]), 'shard', noFault);
    expect([await countUses(next), await journalsIn(path)]).toEqual([1, written]);
  });
});

test('an item that is malformed makes no fact, and holds up no other', () => {
  const faults: string[] = [];
  const broken = recordOf({ pk: 'proj#REDEMPTION#r_1', sk: 'REDEMPTION', project: 'proj', id: 7 });
  const sound = recordOf({ pk: 'proj#CUSTOMER#c_1', sk: 'CUSTOMER', project: 'proj', id: 'c_1' });
  const found = findFacts(changesOf([broken, sound]), ({ kind }) => faults.push(kind));
  expect([found.map(({ table }) => table), faults]).toEqual([['customers'], ['REDEMPTION']]);
});

test('a reader beside the writer sees packed facts and facts of the journal, and changes nothing', async () => {
  const { store, path } = await openStore();
  await store.keep([redemption('r_1')]);
  await store.pack();
  await store.keep([redemption('r_1'), redemption('r_2')]);
  const before = await journalsIn(path);
  const reader = await openReader(path);
  expect(await countUses(reader)).toBe(2);
  reader.end();
  expect(await journalsIn(path)).toEqual(before);
});

describe('npm run reports', () => {
  test('prints the report of a running server as CSV, and says what to correct', async () => {
    const data = await openStore();
    const { store } = await openStore(join(data.path, 'facts'));
    const zone = { fact_id: 'proj', version: '0', at_ms: 0, project_id: 'proj', timezone: 'Europe/Oslo' };
    await store.keep([redemption('r_1'), redemption('r_2'), makeFact('projects', 'proj', zone)]);
    const report = (...args: string[]) => operate('reports', [...args, '--data', data.path, '--project', 'proj']);
    const range = ['--from', '2026-06-01', '--to', '2026-06-30'];
    const { code, stdout } = await report('redemptions', ...range);
    expect(code).toBe(0);
    const [titles, row] = stdout.split('\r\n').map((line) => line.split(','));
    const shown = Object.fromEntries(titles?.map((title, index) => [title, row?.[index]]) ?? []);
    expect(shown).toMatchObject({ group_key: '2026-06-02', uses: '2', discount_minor: '1000', orders: '2' });
    expect((await report('redemption', ...range)).stderr).toContain(
      '"redemption" is not a known report: write redemptions.',
    );
    expect((await report('redemptions', '--by', 'dya')).stderr).toContain('write day');
    expect((await report('redemptions', '--from', '2020-01-01')).stderr).toContain('at most 1100 days');
    expect((await report('redemptions', '--from', '2026-02-31')).stderr).toContain('must be an existing date');
  });
});

test('docs/reports.md describes each table with all its columns', async () => {
  const page = await readFile('docs/reports.md', 'utf8');
  for (const [table, columns] of Object.entries(factTables)) {
    expect(page).toContain(`\n### ${table}\n`);
    for (const [name, { type, words }] of Object.entries(columns)) {
      expect(page, table).toContain(`| \`${name}\` | ${type} | ${words} |`);
    }
  }
});

import { describe, expect, test } from 'vitest';
import { findFacts } from '#addons/reports/facts/find-facts.ts';
import { isReport, type Report, reports } from '#addons/reports/report-list.ts';
import { buildReportQuery } from '#addons/reports/report-query.ts';
import { seeded } from '../support/seeded.ts';
import { openPacker } from './fact-bucket.ts';
import { openAthena } from './fake-athena.ts';
import { lists, play } from './story.ts';
import { noFault, openStore, openWorld } from './world.ts';

const steps = process.env.LONG_TESTS === undefined ? 80 : 150;

const ranges = [
  { from: '2026-01-01', to: '2028-12-31' },
  { from: '2026-06-16', to: '2026-06-20' },
];

describe('after a random story, from lines and packed files with repeated, late and unordered facts,', () => {
  test('the text for Athena gives the same rows as the query of the embedded engine', async () => {
    const below = seeded(7);
    const world = await openWorld(lists);
    await play(world, below, steps);
    const facts = findFacts(await world.changes(), noFault);
    const { store } = await openStore();
    await store.keep(facts);
    const packer = await openPacker();
    packer.clock.set(world.clock());
    const unordered = [...facts, ...facts.filter(() => below(3) === 0)]
      .map((fact) => ({ fact, at: below(1_000_000) }))
      .sort((one, other) => one.at - other.at)
      .map(({ fact }) => fact);
    for (let from = 0; from < unordered.length; from += 40) {
      await packer.deliver(unordered.slice(from, from + 40));
      if (below(4) === 0) await packer.pack();
    }
    const { engine, texts } = await openAthena(packer.bucket, { today: world.clock() });
    let rows = 0;
    for (const range of ranges) {
      for (const name of Object.keys(reports).filter(isReport)) {
        const { by = [], orders = [] }: Report = reports[name];
        const questions = [...by.map((one) => ({ by: one })), ...orders.map((order) => ({ order })), {}];
        for (const question of questions) {
          for (const page of [1, 2]) {
            const asked = {
              report: name,
              projectId: world.id,
              timezone: 'Europe/Oslo',
              ...range,
              ...question,
            };
            const query = buildReportQuery({ ...asked, budget: 50_000, limit: 10, page });
            const expected = await store.query(query);
            expect(await engine.query(query), JSON.stringify(asked)).toEqual(expected);
            rows += expected.length;
          }
        }
      }
    }
    expect(rows).toBeGreaterThan(50);
    expect(texts().length).toBeGreaterThan(50);
    expect(await engine.query({ name: 'timezone', projectId: world.id, days: { all: {} }, parameters: {} })).toEqual(
      await store.query({ name: 'timezone', projectId: world.id, days: { all: {} }, parameters: {} }),
    );
  });
});

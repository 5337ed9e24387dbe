import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startServer } from '../../infra/local/server.ts';
import { ownTable, testDependencies } from '../support/dependencies.ts';
import { runOutbox } from '../support/outbox.ts';
import { buildAndCompare } from './compare.ts';
import { exceptions } from './exceptions.ts';

const root = join(import.meta.dirname, '../..');
const files = { demo: 'infra/local/demo-project.json', acme: 'test/support/acme.json' };
const projects = { demo: 'proj_demo', acme: 'proj_acme' };

const needed = new Set<string>();
afterAll(() => {
  expect(exceptions.map(({ name }) => name).filter((name) => !needed.has(name))).toEqual([]);
});

test.each(['demo', 'acme'] as const)(
  'everything in the %s project can be built over the API: its export equals the file',
  async (name) => {
    const dependencies = testDependencies({ tableName: await ownTable() });
    const loaded = testDependencies({ tableName: await ownTable() });
    const server = await startServer({ dependencies, port: 0 });
    try {
      const settle = () => runOutbox(projects[name], dependencies);
      const places = { loaded, built: dependencies, baseUrl: server.baseUrl, settle };
      const { building, unexplained, explained } = await buildAndCompare(join(root, files[name]), places);
      expect(building.refused).toEqual([]);
      expect(unexplained).toEqual([]);
      for (const { exception } of explained) needed.add(exception.name);
    } finally {
      await server.close();
    }
  },
);

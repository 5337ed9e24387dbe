import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { engineClient, uniqueId } from '../support/dependencies.ts';
import { listPages, projectOfLists, subjectOf } from './cases/lists.ts';
import { lambdaContext, recordingDependencies } from './compare.ts';
import { seedListsOf } from './seed-lists.ts';
import { eventOf, type World } from './subjects.ts';
import { loadedTable, putAll } from './tables.ts';

const client = engineClient();
const tableName = uniqueId('lists-');
const size = 1_000;
let world: World;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  const project = await loadedTable(client, tableName, await projectOfLists(), folder);
  await rm(folder, { recursive: true });
  world = { project, tokens: [] };
  const names = listPages.map(({ operation }) => operation.name);
  await seedListsOf(names, { client, tableName, project, size, put: (items) => putAll(client, tableName, items) });
});

afterAll(() => client.destroy());

test.each(listPages)('the bench fills what it measures: $operation.name, $name', async (page) => {
  const call = page.operation.handler.with(recordingDependencies(tableName, createDocumentClient(client)));
  const reply = await call(eventOf(page.operation, subjectOf(page, size), 0, world), lambdaContext);
  const body = JSON.parse(String(reply.body));
  expect([reply.statusCode, body.details]).toEqual([200, undefined]);
  const shown = body.object === 'list' ? body[body.data_ref] : [body];
  expect(shown).toHaveLength(body.object === 'list' ? (page.shows ?? 10) : 1);
});

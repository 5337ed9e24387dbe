import { expect } from 'vitest';
import type { Dependencies } from '#kernel/http/composition.ts';
import { exportFile, exportKey, placeExport } from '#kernel/kit/exports/export.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as createHandler } from '../../functions/exports/create-export.ts';
import { handler as getHandler } from '../../functions/exports/get-export.ts';
import { caller } from './call.ts';
import { testDependencies, testTime } from './dependencies.ts';
import { runOutbox } from './outbox.ts';
import type { TestProject } from './project.ts';

/** The ids of the documented examples: one export to read, one to delete. */
export const exampleExports = ['exp_of_the_example', 'exp_no_longer_needed'] as const;

/** Inserts finished exports, because no project file brings them. */
export async function insertExports(projectId: string, { dynamodb, tableName }: Dependencies, mark = '') {
  const created_at = testTime.toISOString();
  const effects = exampleExports.map((name) => {
    const id = name + mark;
    const job = { id, about: id, project_id: projectId, state: 'DONE', created_at, begun: 1 };
    const asked = { exported_object: 'order', parameters: {}, ...placeExport(projectId, job, 'DONE') };
    return insert(exportKey(projectId, id), { ...job, ...asked });
  });
  await commit(new Table(dynamodb, tableName, testTime), effects);
}

export async function startExport({ credentials: headers }: TestProject, body: unknown, handler = createHandler) {
  const reply = await caller(handler)({ headers, body });
  expect([reply.status, reply.body.details]).toEqual([200, undefined]);
  expect(reply.body).toMatchObject({ status: 'SCHEDULED', result: null });
  return String(reply.body.id);
}

export async function shownExport({ credentials: headers }: TestProject, exportId: string) {
  return (await caller(getHandler)({ headers, params: { exportId } })).body;
}

/** Reads the lines of the file at the export's address. */
export async function linesOf({ id: projectId }: TestProject, exportId: string): Promise<string[]> {
  const text = await testDependencies().files.read(exportFile(projectId, exportId));
  expect(text.endsWith('\r\n')).toBe(true);
  return text.slice(0, -2).split('\r\n');
}

/** Creates an export, and returns the lines of the finished file. */
export async function exportedLines(project: TestProject, body: unknown, handler = createHandler): Promise<string[]> {
  const id = await startExport(project, body, handler);
  await runOutbox(project.id);
  expect(await shownExport(project, id)).toMatchObject({ status: 'DONE' });
  return linesOf(project, id);
}

import { describe, expect, test } from 'vitest';
import { exportFile } from '#kernel/kit/exports/export.ts';
import { maxAttempts } from '#kernel/kit/jobs/job.ts';
import { runMessages } from '#kernel/kit/jobs/messages.ts';
import { keyOf } from '#kernel/table/keys.ts';
import { createWorks } from '#registry.ts';
import { handler as deleteHandler } from '../../../../../functions/exports/delete-export.ts';
import { caller } from '../../../../support/call.ts';
import { testDependencies } from '../../../../support/dependencies.ts';
import { exportedLines, linesOf, shownExport, startExport } from '../../../../support/exports.ts';
import { mortal } from '../../../../support/mortal.ts';
import { deliver, messagesFor, openJobs, runOutbox } from '../../../../support/outbox.ts';
import { loadProject } from '../../../../support/project.ts';

/** More than three batches of a walk. */
const number = 320;
const secondOf = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
const orders = Array.from({ length: number }, (_, index) => ({
  id: `ord_${String(index).padStart(3, '0')}`,
  amount: ((index * 37) % number) * 100,
  status: 'CREATED',
  created_at: secondOf(index),
}));
const asked = { exported_object: 'order', parameters: { fields: ['id'] } };
const inOrder = ['ID', ...orders.map(({ id }) => id)];

/** Makes a worker that has time for one batch, and stops at its next look at the clock. */
const briefly = (keys: Parameters<typeof messagesFor>[0], dependencies = testDependencies()) =>
  runMessages(messagesFor(keys), dependencies, createWorks(), () => true);

describe('one correct file', () => {
  test('is made in slices, each behind the other work of the queue, in either direction', async () => {
    const project = await loadProject({ orders });
    for (const order of ['created_at', '-created_at']) {
      const id = await startExport(project, { ...asked, parameters: { fields: ['id'], order } });
      for (let slices = 0; (await openJobs(project.id)).length > 0; slices++) {
        const [job = {}] = await openJobs(project.id);
        const dependencies = testDependencies();
        await (slices === 4 ? deliver([job], dependencies) : briefly([keyOf(job)], dependencies));
        expect(dependencies.queues.messages).toEqual(
          slices === 4 ? [] : [{ queue: 'exports', key: keyOf(job), delayInS: 0 }],
        );
        if (slices === 1) expect(await shownExport(project, id)).toMatchObject({ status: 'IN_PROGRESS', result: null });
      }
      const rows = inOrder.slice(1);
      expect(await linesOf(project, id)).toEqual(['ID', ...(order === 'created_at' ? rows : rows.toReversed())]);
    }
  });

  test('is made by workers that are killed half-way and get every message twice at once', async () => {
    const project = await loadProject({ orders });
    const id = await startExport(project, asked);
    const [job = {}] = await openJobs(project.id);
    for (const [deaths, left] of [3, 5, 6, 9, 4].entries()) {
      const worker = () => briefly([keyOf(job)], mortal(left, deaths % 2 === 0));
      await Promise.all([worker(), worker()]);
    }
    await Promise.all([deliver([job]), deliver([job]), deliver([job])]);
    await runOutbox(project.id);
    expect(await linesOf(project, id)).toEqual(inOrder);
    await deliver([job]);
    expect(await linesOf(project, id)).toEqual(inOrder);
  });

  test('is sorted if no list has its order: numbers by size, and equal ones by creation', async () => {
    const project = await loadProject({
      customers: ['b', 'a', undefined, 'ä', 'a'].map((name, index) => ({
        id: `cust_${index}`,
        name,
        created_at: secondOf(index),
      })),
    });
    const lines = (order: string) =>
      exportedLines(project, { exported_object: 'customer', parameters: { order, fields: ['id'] } });
    expect(await lines('name')).toEqual(['ID', 'cust_2', 'cust_1', 'cust_4', 'cust_0', 'cust_3']);
    expect(await lines('-name')).toEqual(['ID', 'cust_3', 'cust_0', 'cust_1', 'cust_4', 'cust_2']);
  });
});

test("an export whose order exceeds a run's memory ends in ERROR, and is not tried for ever", async () => {
  const project = await loadProject({ orders });
  const id = await startExport(project, { ...asked, parameters: { order: 'status' } });
  const [job = {}] = await openJobs(project.id);
  await briefly([keyOf(job)]);
  expect(await shownExport(project, id)).toMatchObject({ status: 'ERROR', result: null });
  expect(await openJobs(project.id)).toEqual([]);
});

test('an export whose files cannot be stored ends in ERROR after so many attempts', async () => {
  const project = await loadProject();
  const id = await startExport(project, asked);
  const [job = {}] = await openJobs(project.id);
  const dependencies = testDependencies();
  const withoutFiles = {
    ...dependencies,
    files: { ...dependencies.files, put: () => Promise.reject(new Error('no')) },
  };
  for (let attempt = 0; attempt < maxAttempts; attempt++) await deliver([job], withoutFiles);
  expect(await shownExport(project, id)).toMatchObject({ status: 'ERROR', result: null });
});

test('a table that lacks capacity costs time: walked parts are kept, and the rest follows later', async () => {
  const project = await loadProject({ orders });
  const id = await startExport(project, asked);
  const [job = {}] = await openJobs(project.id);
  const { dynamodb } = testDependencies();
  let batches = 0;
  const send = async (command: Parameters<typeof dynamodb.send>[0]) => {
    if (!('RequestItems' in command.input) || ++batches < 3) return dynamodb.send(command);
    throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
  };
  // The walk gives up after a short wait, so that the test need not last as long as work does.
  const dependencies = testDependencies({
    dynamodb: Object.assign(Object.create(dynamodb), { send }),
    patienceInMs: 300,
  });
  await deliver([job], dependencies);
  expect(dependencies.queues.messages.map(({ queue }) => queue)).toEqual(['exports']);
  const [kept] = await openJobs(project.id);
  expect(kept).toMatchObject({ attempts: 0, noted: 1, is_walked: false, behind: expect.any(String) });
  await runOutbox(project.id);
  expect(await linesOf(project, id)).toEqual(inOrder);
});

test('an export that is deleted while it is made leaves no file', async () => {
  const project = await loadProject({ orders });
  const exportId = await startExport(project, asked);
  const [job = {}] = await openJobs(project.id);
  const dependencies = testDependencies();
  const { files } = dependencies;
  const remove = () => caller(deleteHandler)({ headers: project.credentials, params: { exportId } });
  const join: typeof files.join = async (file, parts) => {
    expect((await remove()).status).toBe(204);
    // The parts are deleted with it. A worker that has already read them continues.
    await files.put({ ...file, content: `made of ${parts.length}` });
  };
  await deliver([job], { ...dependencies, files: { ...files, join } });
  await expect(files.read(exportFile(project.id, exportId))).rejects.toThrow('there is no file');
  expect((await shownExport(project, exportId)).key).toBe('not_found');
});

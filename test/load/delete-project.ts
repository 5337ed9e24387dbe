import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { deleteProject, projectDeletions } from '#addons/admin/management/projects.ts';
import { projectsById } from '#kernel/access/projects/project.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { commit, insert } from '#kernel/table/effects.ts';
import { Table } from '#kernel/table/table.ts';
import { Complaint, Misuse, runCommand } from '../../infra/command-line.ts';
import { allContainersAtOnce } from '../../infra/local/all-containers.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { startEngine } from '../../infra/local/engine.ts';
import { workerReply } from './deletion-worker.ts';

const usage = `Deletes a project of many objects on an engine of its own. Kills the worker on the way, and starts it again. Fails unless
nothing is left, the job is DONE, each object is counted once, and another project has all its objects.

  npm run delete-project-test -- --objects 1000000
`;

const options = {
  objects: { type: 'string', value: 'N', words: 'the objects of the project', default: '10000' },
  kills: { type: 'string', value: 'N', words: 'how often the worker is killed', default: '3' },
} as const;

const tableName = 'deletion';
const projectId = 'proj_large';
const otherId = 'proj_other';
const others = 100;
const atOnce = 4;
const itemsInACall = 100;
const lookEveryInMs = 500;
/** On a busy machine the engine waits long for its turn. */
const replyTimeoutInMs = 300_000;
/** The last pass begins 15 minutes after the tombstone or later. An older tombstone saves the wait. */
const tombstoneAgeInMs = 16 * 60_000;

const deletion = v.looseObject({ state: v.string(), deleted_count: v.number(), pass: v.number() });

/** Fills by transactions without conditions. The native engine then accepts three times as many items as by batches. */
async function fill(client: DynamoDBDocumentClient, project: string, count: number): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      const from = next;
      next = Math.min(count, from + itemsInACall);
      const puts = Array.from({ length: next - from }, (_, at) => {
        const key = { pk: `${project}#SHELF#${from + at}`, sk: 'SHELF' };
        const Item = { ...key, kind: 'SHELF', project, note: 'x'.repeat(200) };
        return { Put: { TableName: tableName, Item } };
      });
      await client.send(new TransactWriteCommand({ TransactItems: puts }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function countLeft(table: Table, project: string): Promise<number> {
  let count = 0;
  for await (const page of table.scan({ partitionPrefix: `${project}#SHELF` })) count += page.length;
  return count;
}

async function readJob(table: Table) {
  const [job] = await table.getMany([projectDeletions(projectId)]);
  return v.parse(deletion, job);
}

/** Runs the worker to its end, and kills it when it has deleted so many. */
async function runWorker(endpoint: string, table: Table, killAt: number | undefined) {
  const child = fork(join(import.meta.dirname, 'deletion-worker.ts'), [endpoint, tableName, projectId]);
  const gone = once(child, 'exit');
  const reply = once(child, 'message').then(([message]) => v.parse(workerReply, message));
  // A killed process sends no answer.
  reply.catch(() => {});
  if (killAt === undefined) return Promise.race([reply, gone.then(() => undefined)]);
  while (child.exitCode === null && (await readJob(table)).deleted_count < killAt) await pause(lookEveryInMs);
  child.kill('SIGKILL');
  await gone;
  return undefined;
}

function readCount(name: string, text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new Misuse(`--${name} must be a whole number`);
  return Number(text);
}

const inSeconds = (since: number) => Math.round((performance.now() - since) / 1_000);

await runCommand({ usage, options }, async ({ values }) => {
  const [objects, kills] = [readCount('objects', values.objects), readCount('kills', values.kills)];
  const engine = await startEngine({ prefer: 'dynoxide', env: process.env });
  const client = createDynamodbClient(engine.endpoint, { ...allContainersAtOnce, replyTimeoutInMs });
  try {
    await createTable(client, tableName, { withStream: false });
    const now = new Date(Date.now() - tombstoneAgeInMs);
    const dynamodb = createDocumentClient(client);
    const table = new Table(dynamodb, tableName, new Date());
    const item = { id: projectId, name: projectId, secret: 'A'.repeat(43), created_at: now.toISOString() };
    await commit(table, [insert(projectsById(projectId), item)]);
    const filledSince = performance.now();
    await fill(dynamodb, otherId, others);
    await fill(dynamodb, projectId, objects);
    process.stdout.write(`${objects} objects on ${engine.name}, in ${inSeconds(filledSince)} s\n`);
    const credentials = { findProject: async () => undefined, forgetProject: () => {} };
    await deleteProject({ table, now, manager: { name: 'measurement' }, credentials }, projectId);
    const since = performance.now();
    let countedBefore = 0;
    for (let kill = 1; kill <= kills; kill++) {
      await runWorker(engine.endpoint, table, Math.floor((objects * kill) / (kills + 1)));
      const { deleted_count } = await readJob(table);
      countedBefore = deleted_count;
      process.stdout.write(`killed at ${deleted_count} counted, after ${inSeconds(since)} s\n`);
    }
    const last = await runWorker(engine.endpoint, table, undefined);
    const took = inSeconds(since);
    const { state, deleted_count, pass } = await readJob(table);
    const left = await countLeft(table, projectId);
    const kept = await countLeft(table, otherId);
    const figures = `${state} after ${took} s and ${pass} full passes: ${deleted_count} counted, ${left} left`;
    const ofLast =
      last &&
      `, the last worker took ${Math.round(last.cpuMilliseconds / 1_000)} s of processor time and ${last.calls} calls for ${deleted_count - countedBefore}`;
    if (state !== 'DONE' || left > 0 || kept !== others || deleted_count !== objects) {
      throw new Complaint(`${figures}. The other project has ${kept} of ${others} objects.`);
    }
    return `${figures}${ofLast ?? ''}, with ${Math.round(last?.heapInMb ?? 0)} MB of heap\n`;
  } finally {
    client.destroy();
    await engine.stop();
  }
});

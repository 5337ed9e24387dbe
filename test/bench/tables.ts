import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { loadProjectFile } from '#addons/admin/project-file/load.ts';
import { findProject, type Project } from '#kernel/access/projects/project.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { pause } from '#kernel/table/conflicts.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { Table } from '#kernel/table/table.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { type Engine, startEngine } from '../../infra/local/engine.ts';
import { EngineError, type EngineKind } from '../../infra/local/engine-program.ts';
import { type Measurement, patience } from './benchmark.ts';

const allEngines: readonly EngineKind[] = ['dynamodb-local', 'dynoxide'];

/** DynamoDB accepts 25 items per BatchWriteItem. */
const batchWriteLimit = 25;
const callsAtOnce = 8;

/** Starts engines of one kind. The first uses `dataDir` if given; `beside` adds more, each with its own data. */
interface Engines {
  readonly dataDir?: string;
  readonly beside?: number;
}

/** Starts engines for a measurement. If they cannot run, returns the error that says why. */
export async function onEngine<T>(
  kind: EngineKind,
  measure: (engine: Engine, ...others: Engine[]) => Promise<T>,
  { dataDir, beside = 0 }: Engines = {},
): Promise<T | EngineError> {
  const env = { ...process.env, DYNAMODB_ENDPOINT: '', DYNAMODB_ENGINE: kind };
  const started: Engine[] = [];
  const start = async (own: Pick<Engines, 'dataDir'> = {}) => {
    const engine = await startEngine({ prefer: kind, env, ...own });
    started.push(engine);
    return engine;
  };
  try {
    const engine = await start(dataDir === undefined ? {} : { dataDir });
    while (started.length <= beside) await start();
    return await measure(engine, ...started.slice(1));
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  } finally {
    await Promise.all(started.map((engine) => engine.stop()));
  }
}

/** Measures on both kinds, unless the environment names a kind. The row of a kind that cannot run says why. */
export async function onEachEngine(
  measure: (kind: EngineKind, engine: Engine, ...others: Engine[]) => Promise<Measurement[]>,
  { beside = 0 }: Pick<Engines, 'beside'> = {},
): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const kind of allEngines.filter((one) => (process.env.DYNAMODB_ENGINE || one) === one)) {
    const outcome = await onEngine(kind, (...engines) => measure(kind, ...engines), { beside });
    if (outcome instanceof EngineError) rows.push({ name: kind, values: { note: outcome.message }, broken: [] });
    else rows.push(...outcome);
  }
  return rows;
}

/**
 * Returns a client with this distance to its table. Callers and engine share the machine's cores, and one caller
 * already keeps both busy. Therefore more callers gain time only where they wait instead of computing.
 */
export function clientAway(endpoint: string, distanceInMs: number): DynamoDBClient {
  const client = createDynamodbClient(endpoint, patience);
  client.middlewareStack.add(
    (next) => async (args) => {
      await pause(distanceInMs);
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  return client;
}

/** Loads a project file into a new table. */
export async function loadedTable(
  client: DynamoDBClient,
  tableName: string,
  file: Record<string, unknown>,
  workDir: string,
  { withStream = true }: { withStream?: boolean } = {},
): Promise<Project> {
  await createTable(client, tableName, { withStream });
  const dynamodb = createDocumentClient(client);
  const path = join(workDir, `${tableName}.json`);
  await writeFile(path, JSON.stringify(file));
  const now = new Date();
  const { project: loaded } = await loadProjectFile(path, { dynamodb, tableName, now });
  const project = await findProject(new Table(dynamodb, tableName, now), loaded.id);
  if (!project) throw new Error('the project was not loaded');
  return project;
}

/** Puts items and replaces existing items, with several simultaneous calls. */
export async function putAll(
  client: DynamoDBClient,
  tableName: string,
  items: Iterable<Attributes> | AsyncIterable<Attributes>,
): Promise<void> {
  const dynamodb = createDocumentClient(client);
  async function put(batch: readonly Attributes[]): Promise<void> {
    const puts = batch.map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems } = await dynamodb.send(new BatchWriteCommand({ RequestItems: { [tableName]: puts } }));
    if (Object.keys(UnprocessedItems ?? {}).length > 0) throw new Error('the engine left items unprocessed');
  }
  const underWay = new Set<Promise<void>>();
  for await (const batch of splitIntoBatches(items, batchWriteLimit)) {
    const call = put(batch).finally(() => underWay.delete(call));
    underWay.add(call);
    if (underWay.size >= callsAtOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
}

/** The place of a side's data. */
export interface Place {
  readonly endpoint: string;
  readonly tableName: string;
}

/** The place of a side's data. */
export interface Place {
  readonly endpoint: string;
  readonly tableName: string;
}

/** Makes a new table with the same items. */
export async function copyTable(from: Place, to: Place): Promise<void> {
  const [source, target] = [createDynamodbClient(from.endpoint, patience), createDynamodbClient(to.endpoint, patience)];
  await createTable(target, to.tableName);
  for await (const { Items = [] } of paginateScan(
    { client: createDocumentClient(source) },
    { TableName: from.tableName },
  )) {
    await putAll(target, to.tableName, Items);
  }
  for (const client of [source, target]) client.destroy();
}

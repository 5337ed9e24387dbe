import * as v from 'valibot';
import { encodings } from '#kernel/core/files/encoding.ts';
import type { FilePlace, Files } from '#kernel/core/files/files.ts';
import { count } from '#kernel/core/schema.ts';
import type { Starting, Writing } from '#kernel/http/context.ts';
import { commit, type Effect, insert } from '#kernel/table/effects.ts';
import { parseStored } from '#kernel/table/item.ts';
import { tableShape } from '#kernel/table/keys.ts';
import { childKind } from '#kernel/table/kind.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import type { Table } from '#kernel/table/table.ts';
import { actionItem, newActionId, startAction } from '../jobs/action.ts';
import type { BulkOf, RowWriting } from './bulk.ts';
import { separators } from './csv.ts';

/** A file that the caller uploaded, and the progress of its import. */
const uploadedFile = v.object({
  place: v.string(),
  /** The checked version. A file with different content under the same address is refused. */
  version: v.optional(v.string()),
  columns: v.array(v.string()),
  separator: v.picklist(separators),
  encoding: v.optional(v.picklist(encodings), 'utf-8'),
  /** The owner of the rows, if the path names it. */
  owner_id: v.optional(v.string()),
  /** Every line was found valid. No row runs before that. */
  is_checked: v.optional(v.boolean(), false),
  /** The byte and the line where the next rows begin. */
  byte: count,
  line: count,
  /** The number of earlier rows, and how they ended. */
  rows: v.optional(count, 0),
  done: v.optional(count, 0),
  failed: v.optional(count, 0),
  created: v.optional(count, 0),
  changed: v.optional(count, 0),
  /** Some rows repeat a name of earlier rows. */
  has_repeats: v.optional(v.boolean(), false),
  /** Counts the notes of progress. Each note builds on the preceding note. */
  moves: v.optional(count, 0),
});

export type UploadedFile = v.InferOutput<typeof uploadedFile>;

/** The action that runs the rows. */
export const bulkJobItem = v.object({
  ...actionItem.entries,
  /** The caller on whose behalf the rows run. */
  caller: v.object({ appId: v.string(), appName: v.string() }),
  base_url: v.string(),
  /** Replaces stored rows. */
  file: v.optional(uploadedFile),
});

export type BulkJob = v.InferOutput<typeof bulkJobItem>;

/** The progress of a part of the rows. It changes in the transaction of each row. */
export const laneItem = v.object({
  position: v.optional(count, 0),
  done: v.optional(count, 0),
  failed: v.optional(count, 0),
  created: v.optional(count, 0),
  changed: v.optional(count, 0),
});

export type Lane = v.InferOutput<typeof laneItem>;

export const lanes = childKind({ kind: kinds.job }, kinds.lane, laneItem);

/** A failed row, and the reason. */
export const failedRowItem = v.object({
  /** Counted from 1. */
  row: count,
  code: v.optional(v.string()),
  source_id: v.optional(v.string()),
  key: v.string(),
  /** The erasure of a person removes reasons that name the person. */
  message: v.optional(v.string(), ''),
  details: v.optional(v.string(), ''),
});

export type FailedRow = v.InferOutput<typeof failedRowItem>;

/** The digits of the largest row number. */
const rowDigits = 6;

/** Returns the id of a row's note. Notes sort in the order of the body. */
export function rowId(number: number): string {
  return String(number).padStart(rowDigits, '0');
}

export const failedRows = childKind({ kind: kinds.job }, kinds.failedRow, failedRowItem);

/** Limits the failed rows that a result shows. `failed_count` counts all. */
const maxShown = 1_000;

/** Returns the first failed rows, in the order of the body. */
export async function readFailedRows(table: Table, projectId: string, actionId: string): Promise<FailedRow[]> {
  const items = await table.query({ ...failedRows.all(projectId, actionId), limit: maxShown });
  return items.map((item) => parseStored(failedRowItem, item));
}

/** Lanes and failed rows expire after their action. */
const partsLifeInS = 60 * 24 * 3_600;

export function partsExpireAt(now: Date): number {
  return Math.floor(now.getTime() / 1_000) + partsLifeInS;
}

const createdCategoryItem = v.object({ name: v.string() });

const createdCategories = childKind({ kind: kinds.job }, kinds.createdCategory, createdCategoryItem);

/** Limits the created categories that a result names. */
const maxNamed = 100;

/**
 * Notes that the action creates a category, in the transaction that creates it, so that the action notes it only once.
 */
export function noteCategory(
  { project, now, actionId }: RowWriting,
  { id, name }: { readonly id: string; readonly name: string },
): Effect {
  const item = { name, [tableShape.timeToLive]: partsExpireAt(now) };
  return insert(createdCategories(project.id, actionId, id), item);
}

/** Returns the names of the first created categories. */
export async function readCreatedCategories(table: Table, projectId: string, actionId: string): Promise<string[]> {
  const items = await table.query({ ...createdCategories.all(projectId, actionId), limit: maxNamed });
  return items.map((item) => parseStored(createdCategoryItem, item).name);
}

export function rowsFile(projectId: string, actionId: string): FilePlace {
  return { area: 'rows', projectId, place: `${actionId}.json` };
}

export const startedAction = v.object({ async_action_id: v.string() });

export type BulkContext = Writing & Starting & { readonly files: Files };

/** Stores the rows, and starts the action that runs them. */
export async function startBulk<S extends v.GenericSchema>(
  context: BulkContext,
  bulk: BulkOf<S>,
  body: v.InferOutput<S>,
): Promise<v.InferOutput<typeof startedAction>> {
  const { project, caller, baseUrl, table, now, files } = context;
  const id = newActionId(now);
  const content = JSON.stringify(body);
  await files.put({ ...rowsFile(project.id, id), name: `${id}.json`, type: 'application/json', content });
  const action = { id, kind: 'bulk', type: bulk.type, about: id, steps: bulk.count(body) } as const;
  const { appId, appName } = caller;
  const fields = { caller: { appId, appName }, base_url: baseUrl, ...bulk.noted(body) };
  await commit(table, [startAction(context, action, fields)]);
  return { async_action_id: id };
}

import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { type Encoding, notText, WrongEncoding } from '#kernel/core/files/encoding.ts';
import { addressLifeInSeconds, type FilePlace } from '#kernel/core/files/files.ts';
import { idPrefixes, newTimedId, readIdTime } from '#kernel/core/ids.ts';
import { count, dateTime } from '#kernel/core/schema.ts';
import type { CsvUpload } from '#kernel/http/upload.ts';
import { commit } from '#kernel/table/effects.ts';
import { startAction } from '../jobs/action.ts';
import { type CsvBulk, trimHeader } from './csv-bulk.ts';
import { csvError } from './csv-cells.ts';
import { importPreview, previewTable } from './csv-preview.ts';
import { fileStart, type StreamedLine, streamCsv } from './csv-stream.ts';
import { type BulkContext, startBulk, startedAction, type UploadedFile } from './job.ts';

/** Imports a CSV file: the body itself, which has 4 MiB at most, or a file that the caller uploads to an address first. */

const uploadAddress = v.object({
  upload_id: described(v.string(), 'The id of the upload. Send it to import the file.'),
  url: described(v.string(), 'The address of the file. Send the file to it with PUT, without credentials.'),
  size: described(count, 'The number of bytes that the file must have.'),
  expires_at: described(dateTime, 'The time until which the address is valid.'),
});

/** The action that imports, the address for the upload, or the preview. */
export const importReply = v.union([startedAction, uploadAddress, importPreview]);

type Reply = v.InferOutput<typeof importReply>;

const idPrefix = 'upl_';

export function uploadFile(projectId: string, place: string): FilePlace {
  return { area: 'uploads', projectId, place };
}

async function newAddress({ files, project, now }: BulkContext, size: number): Promise<Reply> {
  // The id contains the size, and leads to the one action that imports the file, even if it is requested again.
  const upload_id = newTimedId('async_action', now).replace(idPrefixes.async_action, idPrefix).concat(`_${size}`);
  const url = await files.address(uploadFile(project.id, `${upload_id}.csv`), size);
  const expires_at = new Date(now.getTime() + addressLifeInSeconds * 1_000).toISOString();
  return { upload_id, url, size, expires_at };
}

/** Returns the action and the size that an upload's id leads to. */
function leadsTo(uploadId: string): { actionId: string; size: number } | undefined {
  const [, timed = '', size] = /^upl_(.+)_(\d{1,9})$/.exec(uploadId) ?? [];
  const actionId = idPrefixes.async_action + timed;
  return readIdTime('async_action', actionId) ? { actionId, size: Number(size) } : undefined;
}

async function firstLineOf({ files }: BulkContext, file: FilePlace, from: Beginning): Promise<StreamedLine> {
  for await (const line of streamCsv(files.pieces(file, 0, from.version), { ...fileStart, ...from })) return line;
  throw csvError('line 1, column 1 is missing: the file must have a header');
}

interface Beginning {
  readonly version: string;
  readonly encoding?: Encoding;
}

/** Reads the header. A first piece that is not UTF-8 is read as Windows-1252 until the whole file is checked. */
async function headerOf(context: BulkContext, file: FilePlace, version: string): Promise<StreamedLine> {
  try {
    return await firstLineOf(context, file, { version });
  } catch (error) {
    if (!(error instanceof WrongEncoding)) throw error;
  }
  try {
    return await firstLineOf(context, file, { version, encoding: 'windows-1252' });
  } catch (error) {
    throw error instanceof WrongEncoding ? csvError(`the file ${notText}`) : error;
  }
}

/** Checks an uploaded file. 400 if it is missing, has another size, or a wrong header. */
async function checkedFile(context: BulkContext, bulk: CsvBulk, uploadId: string, size: number): Promise<UploadedFile> {
  const place = `${uploadId}.csv`;
  const file = uploadFile(context.project.id, place);
  const found = await context.files.state(file);
  if (found === undefined) {
    throw csvError('upload_id has no file: upload the file to the address that came with the id, then import it');
  }
  const { bytes, version } = found;
  if (bytes !== size) {
    throw csvError(
      `the file must have the ${size} bytes that were announced, and has ${bytes}: upload the whole file again`,
    );
  }
  const { number, cells, separator, encoding, next } = await headerOf(context, file, version);
  const columns = trimHeader(cells);
  const faults = bulk.faultsOf(number, columns);
  if (faults.length > 0) throw csvError(...faults);
  return {
    ...{ place, version, columns, separator, encoding, byte: next.byte, line: next.number },
    ...{ is_checked: false, rows: 0, done: 0, failed: 0, created: 0, changed: 0, has_repeats: false, moves: 0 },
  };
}

/** Starts the action of the upload. A repeated request gets the same action. */
async function startUploaded(context: BulkContext, bulk: CsvBulk, uploadId: string, ownerId?: string): Promise<Reply> {
  const { table, caller, baseUrl } = context;
  const known = leadsTo(uploadId);
  if (!known) throw csvError('upload_id must come from a reply with an address for an upload');
  const { actionId: id, size } = known;
  const file = await checkedFile(context, bulk, uploadId, size);
  const { columns, separator, encoding } = file;
  const notes = bulk.noted({ columns, rows: [], separator, encoding });
  const action = { id, kind: 'bulk', type: bulk.type, about: id, steps: 0 } as const;
  const { appId, appName } = caller;
  const own = { ...file, ...(ownerId === undefined ? {} : { owner_id: ownerId }) };
  await commit(table, [
    startAction(context, action, { caller: { appId, appName }, base_url: baseUrl, file: own, ...notes }),
  ]);
  return { async_action_id: id };
}

export async function importCsv(
  context: BulkContext,
  bulk: CsvBulk,
  body: CsvUpload,
  ownerId?: string,
): Promise<Reply> {
  if ('size' in body) return newAddress(context, body.size);
  if ('upload_id' in body) return startUploaded(context, bulk, body.upload_id, ownerId);
  const { file, encoding } = body;
  const own = { ...(encoding ? { encoding } : {}), ...(ownerId === undefined ? {} : { owner_id: ownerId }) };
  const table = { ...bulk.read(file), ...own };
  return body.preview === 'true' ? previewTable(context, bulk, table) : startBulk(context, bulk, table);
}

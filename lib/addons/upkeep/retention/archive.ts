import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { unpackLines } from '#engine/checkout/orders/resource.ts';
import type { Retained } from '#kernel/access/projects/project.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import type { FileKind, FilePlace, Files } from '#kernel/core/files/files.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { inTimezone } from '#kernel/core/local-time.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { stripPlaces } from '#kernel/table/listing.ts';
import { clearFields } from '../erasure/clear-fields.ts';
import { personalData } from '../erasure/personal-data.ts';
import type { RetentionItem } from './job.ts';
import type { FoundRecord } from './old-records.ts';

/** Archives removed records: gzipped lines of JSON, in some files for each day. */

const personal: Readonly<Record<Retained, readonly string[]>> = {
  redemptions: personalData.REDEMPTION.fields,
  orders: personalData.ORDER.fields,
  publications: personalData.PUBLICATION.fields,
  // Further fields of an event or activity are personal.
  activities: ['data'],
};

/** Writes equal values as equal texts, whatever the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** Returns the record with the lines of an order as a list, because other programs read an archive. */
function withLines(retained: Retained, item: Attributes): Attributes {
  if (retained === 'orders') return { ...Object(unpackLines(item)) };
  return item.order === undefined ? item : { ...item, order: unpackLines(item.order) };
}

/** Returns the line of a record without personal fields, so that erasures can ignore archives. */
export function writeLine(retained: Retained, { item, customerId }: FoundRecord): string {
  const { revision: _, ...own } = clearFields(stripPlaces(withLines(retained, item)), personal[retained]);
  return canonical(customerId === undefined ? own : { ...own, customer_id: customerId });
}

export function digestLine(line: string): string {
  return hash('sha256', line, 'base64url');
}

/** Returns the day of the record in the zone. */
export function readRecordDay({ created_at, date }: Attributes, timezone: string): string {
  return formatDay(inTimezone(new Date(String(date ?? created_at)), timezone));
}

const kind: FileKind = { name: 'archive.ndjson.gz', type: 'application/gzip' };

function partFile(
  { project_id: projectId = '', about: id, created_at }: RetentionItem,
  part: number,
  day: string,
): FilePlace {
  return { area: 'parts', projectId, place: `archive-${id}-${created_at}/${part}-${day}.ndjson.gz` };
}

/** Names a file by the note of its job, so that a repeated run writes the same file. */
function archiveFile(
  { project_id: projectId = '', retained, created_at, noted }: RetentionItem,
  day: string,
): FilePlace {
  const place = `${retained}/${day}/${created_at}-${String(noted).padStart(8, '0')}.ndjson.gz`;
  return { area: 'archives', projectId, place };
}

/** Stores lines until a note records which run's lines are archived. */
export async function keepLines(
  files: Files,
  job: RetentionItem,
  part: number,
  byDay: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  for (const [day, lines] of byDay) {
    const content = gzipSync(`${lines.join('\n')}\n`);
    await files.put({ ...partFile(job, part, day), ...kind, content });
  }
}

async function bytesOf(files: Files, file: FilePlace): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of files.pieces(file, 0)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Archives the lines of a note. A repetition has no effect. Returns false if the lines were lost. */
export async function archive(files: Files, job: RetentionItem): Promise<boolean> {
  const { part, days } = job.chunk ?? { part: 0, days: [] };
  for (const day of days) {
    const [to, from] = [archiveFile(job, day), partFile(job, part, day)];
    if ((await files.state(to)) !== undefined) continue;
    if ((await files.state(from)) === undefined) return false;
    await files.put({ ...to, ...kind, content: await bytesOf(files, from) });
  }
  return true;
}

export async function forgetLines(files: Files, job: RetentionItem): Promise<void> {
  const { part, days } = job.chunk ?? { part: 0, days: [] };
  await Promise.all(days.map((day) => files.remove(partFile(job, part, day))));
}

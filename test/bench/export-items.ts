import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue } from 'aws-lambda';
import { countRecords } from '#addons/upkeep/count-records.ts';
import { splitIntoBatches } from '#kernel/table/batches.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import type { Attributes } from '#kernel/table/item.ts';
import { chooseShard, type Listing } from '#kernel/table/listing.ts';
import type { StreamRecord } from '#kernel/table/stream.ts';
import { Table } from '#kernel/table/table.ts';
import { installed } from '../../infra/local/engine-program.ts';
import { changesOf } from '../support/changes.ts';

/**
 * Makes tables of millions of items in minutes. Items are written to files in DynamoDB's export format, and the native engine makes a
 * database from them. Batch writes would be a dozen times slower.
 */

/** Stores items for a table. `counted` also adds them to the totals of their lists, as the stream does. */
export type Put = (
  items: Iterable<Attributes> | AsyncIterable<Attributes>,
  options: { counted: boolean },
) => Promise<void>;

/** The number of items, a line each, that are written and counted together. */
const linesAtOnce = 2_000;
const gzipLevel = 1;
const restOfTable = 'rest';

export interface Exported {
  client: DynamoDBClient;
  tableName: string;
  /** It has a folder for each table. */
  exportDir: string;
}

type Image = Record<string, AttributeValue>;

const imageOf = (item: Attributes) => marshall(item, { removeUndefinedValues: true }) as Image;

/** Returns the record of a new item. */
function recordOf(NewImage: Image, sequence: number): StreamRecord {
  const { pk = { S: '' }, sk = { S: '' } } = NewImage;
  return { dynamodb: { Keys: { pk, sk }, SequenceNumber: String(sequence), NewImage } };
}

async function writeLines(file: string, lines: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(lines), createGzip({ level: gzipLevel }), createWriteStream(file));
}

async function newFile({ exportDir, tableName }: Exported, name: string): Promise<string> {
  const folder = join(exportDir, tableName, 'data');
  await mkdir(folder, { recursive: true });
  return join(folder, `${name}.json.gz`);
}

/** Writes items to files of the export. Their totals stay in the table and are exported last (`exportTable`). */
export function putIntoExport(exported: Exported): Put {
  const table = new Table(createDocumentClient(exported.client), exported.tableName, new Date());
  let files = 0;
  let sequence = 0;
  return async (items, { counted }) => {
    async function* lines() {
      for await (const batch of splitIntoBatches(items, linesAtOnce)) {
        const images = batch.map(imageOf);
        if (counted) {
          const records = images.map((image) => recordOf(image, ++sequence));
          await countRecords(table, 'shard', changesOf(records));
        }
        yield images.map((Item) => `${JSON.stringify({ Item })}\n`).join('');
      }
    }
    files += 1;
    await writeLines(await newFile(exported, `put-${files}`), lines());
  };
}

/** The source of copies: items that one request wrote, and the texts in them that each copy replaces. */
interface Copied {
  templates: readonly Attributes[];
  /** The lists of the element, if these have several partitions. */
  lists: readonly Listing[];
  count: number;
  /** Returns a copy's text for each text of the templates. */
  own: (index: number) => Readonly<Record<string, string>>;
}

interface Template {
  image: Image;
  /** Literal texts. The copy's text is inserted between them. */
  parts: readonly string[];
  places: readonly { partition: string; place: string; list: Listing }[];
}

const shardMark = (partition: string) => `\u0001${partition}\u0001`;

function templateOf(item: Attributes, lists: readonly Listing[], splits: RegExp): Template {
  const image = imageOf(item);
  const marked = { ...image };
  const places = [];
  for (const { index } of new Map(lists.map((list) => [list.index, list])).values()) {
    const [partition, place] = [image[`${index}pk`]?.S, image[`${index}sk`]?.S];
    const list = lists.find((one) => one.index === index && partition?.includes(`#${one.name}#`));
    if (partition === undefined || place === undefined || !list) continue;
    places.push({ partition: `${index}pk`, place, list });
    marked[`${index}pk`] = { S: partition.replace(/\d+$/, shardMark(`${index}pk`)) };
  }
  return { image, parts: JSON.stringify({ Item: marked }).split(splits), places };
}

/** Writes copies, and counts each in its lists, as the stream does. */
export async function putCopies(exported: Exported, name: string, { templates, lists, count, own }: Copied) {
  const table = new Table(createDocumentClient(exported.client), exported.tableName, new Date());
  const texts = Object.keys(own(0)).sort((one, other) => other.length - one.length);
  const splits = new RegExp(`(${texts.map((text) => text.replace(/[^\w-]/g, '\\$&')).join('|')})`);
  const all = templates.map((item) => templateOf(item, lists, splits));
  const copyOf = ({ parts, places }: Template, texts: Readonly<Record<string, string>>) =>
    places.reduce(
      (line, { partition, place, list }) => {
        const at = place
          .split(splits)
          .map((part) => texts[part] ?? part)
          .join('');
        return line.replace(JSON.stringify(shardMark(partition)).slice(1, -1), String(chooseShard(list, at)));
      },
      parts.map((part) => texts[part] ?? part).join(''),
    );
  let sequence = 0;
  async function* lines() {
    for (let first = 0; first < count; first += linesAtOnce) {
      const indexes = Array.from({ length: Math.min(linesAtOnce, count - first) }, (_, place) => first + place);
      const records = indexes.flatMap(() => all.map(({ image }) => recordOf(image, ++sequence)));
      await countRecords(table, `copies of ${name}`, changesOf(records));
      yield indexes
        .map(own)
        .flatMap((texts) => all.map((template) => `${copyOf(template, texts)}\n`))
        .join('');
    }
  }
  await writeLines(await newFile(exported, name), lines());
}

/** Adds the items of the table itself: the project, the originals of the copies, and the totals. */
export async function exportTable(exported: Exported): Promise<void> {
  const { client, tableName } = exported;
  async function* lines() {
    for await (const { Items = [] } of paginateScan(
      { client: createDocumentClient(client) },
      { TableName: tableName },
    )) {
      yield Items.map((item) => `${JSON.stringify({ Item: imageOf(item) })}\n`).join('');
    }
  }
  await writeLines(await newFile(exported, restOfTable), lines());
}

/** Makes a database of these tables' exports in `dataDir`. An engine is started there afterwards. */
export async function importTables(
  client: DynamoDBClient,
  { exportDir, tableNames, dataDir }: { exportDir: string; tableNames: readonly string[]; dataDir: string },
): Promise<void> {
  const described = tableNames.map((TableName) => client.send(new DescribeTableCommand({ TableName })));
  const schemas = (await Promise.all(described)).map(({ Table }) => ({ Table }));
  const schema = join(exportDir, 'schema.json');
  await writeFile(schema, JSON.stringify(schemas));
  await mkdir(dataDir, { recursive: true });
  const { command } = await installed.dynoxide(process.env, dataDir);
  const args = ['import', '--source', exportDir, '--schema', schema, '--output', join(dataDir, 'dynoxide.db')];
  await promisify(execFile)(command, args);
}

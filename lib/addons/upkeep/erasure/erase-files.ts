import * as v from 'valibot';
import { byteOrderMark, findMark } from '#kernel/core/files/encoding.ts';
import type { FileKind, FilePlace, Files } from '#kernel/core/files/files.ts';
import { walkEntries } from '#kernel/core/walk-entries.ts';
import { type CsvLine, readLineAt } from '#kernel/kit/bulk/csv.ts';
import { unmarkCell, writeCsvLine } from '#kernel/kit/exports/csv-line.ts';
import type { Naming } from './naming.ts';

/** Erases a person from a CSV file of an export, by removing the rows that name them. */

/** Columns that identify a row's customer. A file of customers without them is searched for names. */
const leading: ReadonlySet<string> = new Set(['ID', 'Customer ID']);

const json = v.pipe(v.string(), v.parseJson());

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const [, one] of walkEntries(value)) yield* textsOf(one);
}

function* textsIn(cell: string): Generator<string> {
  yield cell;
  const parsed = /^[[{]/.test(cell) ? v.safeParse(json, cell) : undefined;
  if (parsed?.success) yield* textsOf(parsed.output);
}

function hasText({ cells }: CsvLine, is: (text: string) => boolean): boolean {
  return cells.some((cell) => [...textsIn(unmarkCell(cell))].some(is));
}

/** Yields the lines of a file in the form in which exports write them. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<CsvLine> {
  const decoder = new TextDecoder();
  let text = '';
  const take = function* (isWhole: boolean): Generator<CsvLine> {
    let at = 0;
    while (at < text.length) {
      const line = readLineAt(text, { at, number: 1 }, { separator: ',', isWhole });
      if (!line) break;
      yield line;
      at = line.next.at;
    }
    text = text.slice(at);
  };
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true });
    yield* take(false);
  }
  text += decoder.decode();
  yield* take(true);
}

/** Yields the lines, and `undefined` in place of those that name the person. */
async function* withoutPerson(
  lines: AsyncIterable<CsvLine>,
  { isOfCustomers, person }: Pick<Rewriting, 'isOfCustomers' | 'person'>,
): AsyncGenerator<CsvLine | undefined> {
  let isPerson: ((text: string) => boolean) | undefined;
  for await (const line of lines) {
    if (!isPerson) {
      const leads = !isOfCustomers || line.cells.some((title) => leading.has(title));
      isPerson = leads ? person.isNamed : person.mayBeNamed;
      yield line;
    } else yield hasText(line, isPerson) ? undefined : line;
  }
}

async function beginsMarked(files: Files, file: FilePlace): Promise<boolean> {
  for await (const piece of files.pieces(file, 0)) return findMark(piece) !== undefined;
  return false;
}

const partLength = 8 * 1024 * 1024;

interface Rewriting {
  readonly file: FilePlace & FileKind;
  readonly partAt: (number: number) => FilePlace;
  readonly isOfCustomers: boolean;
  readonly person: Naming;
}

/** Removes the rows that name the person. Replaces the whole file in one step, so that a run that stopped can be repeated. */
export async function eraseFromFile(files: Files, rewriting: Rewriting): Promise<void> {
  const { file, partAt } = rewriting;
  if ((await files.state(file)) === undefined) return;
  const read = () => withoutPerson(linesOf(files.pieces(file, 0)), rewriting);
  let isNamed = false;
  for await (const line of read()) isNamed ||= line === undefined;
  if (!isNamed) return;
  const parts: FilePlace[] = [];
  // The lines come without the mark that the file may begin with.
  let text = (await beginsMarked(files, file)) ? byteOrderMark : '';
  const end = async () => {
    const part = partAt(parts.length);
    await files.put({ ...file, ...part, content: text });
    parts.push(part);
    text = '';
  };
  for await (const line of read()) {
    if (line) text += writeCsvLine(line.cells.map(unmarkCell));
    if (text.length >= partLength) await end();
  }
  await end();
  await files.join(file, parts);
  await Promise.all(parts.map(files.remove));
}

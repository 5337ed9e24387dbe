import { isOutOfCapacity } from '#kernel/table/conflicts.ts';
import { type ExportLine, type ExportLines, isDescending } from './exported-object.ts';

/** Limits the length of a part of a file. */
const sliceLength = 8 * 1024 * 1024;

/** Limits the characters that a worker sorts in memory. */
const sortedLength = 100_000_000;

export interface FileSlice {
  readonly text: string;
  /** The place where the next slice begins. */
  readonly behind?: string | undefined;
  /** The reason for the end. `all` marks the last slice. */
  readonly end: 'all' | 'full' | 'time' | 'capacity';
}

/** Reads a slice: a part's length, or less if time or capacity ends. */
export async function readFileSlice(lines: AsyncIterable<ExportLines>, isTimeUp: () => boolean): Promise<FileSlice> {
  const texts: string[] = [];
  let length = 0;
  let behind: string | undefined;
  const slice = (end: FileSlice['end']): FileSlice => ({ text: texts.join(''), behind, end });
  try {
    for await (const some of lines) {
      for (const { text } of some.lines) {
        texts.push(text);
        length += text.length;
      }
      behind = some.behind;
      if (length >= sliceLength) return slice('full');
      if (isTimeUp()) return slice('time');
    }
    return slice('all');
  } catch (error) {
    if (behind === undefined || !isOutOfCapacity(error)) throw error;
    return slice('capacity');
  }
}

/**
 * Reads and sorts all lines in one run, for an order that no list has. Lines without a place come last in either direction. Returns
 * `undefined` if they exceed the memory.
 */
export async function readSortedSlice(
  lines: AsyncIterable<ExportLines>,
  order: Parameters<typeof isDescending>[0],
  isTimeUp: () => boolean,
): Promise<FileSlice | undefined> {
  const all: ExportLine[] = [];
  let length = 0;
  for await (const some of lines) {
    for (const line of some.lines) {
      all.push(line);
      length += line.text.length + (line.at?.length ?? 0);
    }
    if (length > sortedLength || isTimeUp()) return undefined;
  }
  const way = isDescending(order) ? -1 : 1;
  all.sort((one, other) => {
    if (one.at === other.at) return 0;
    if (one.at === undefined || other.at === undefined) return one.at === undefined ? 1 : -1;
    return one.at < other.at ? -way : way;
  });
  return { text: all.map(({ text }) => text).join(''), end: 'all' };
}

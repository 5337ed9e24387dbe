import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Row } from './pages.ts';

/** Yields the rows of a file with one on each line. */
export async function* linesIn(path: string): AsyncGenerator<Row> {
  for await (const line of createInterface({ input: createReadStream(path) })) if (line !== '') yield JSON.parse(line);
}

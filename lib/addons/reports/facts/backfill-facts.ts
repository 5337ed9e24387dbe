import { gzipSync } from 'node:zlib';
import { readRawItem } from '#kernel/table/image.ts';
import { type RawTable, rawKey, walkItems } from '#kernel/table/raw-items.ts';
import type { NoteFault } from '#kernel/table/stream.ts';
import type { FactBucket } from './fact-bucket.ts';
import { writeFactLine } from './fact-lines.ts';
import { factAreas } from './fact-places.ts';
import { findFactsOfItem } from './find-facts.ts';

export interface Backfill {
  readonly table: RawTable;
  readonly bucket: Pick<FactBucket, 'write'>;
  /** Names the files of this run. */
  readonly name: string;
  readonly note: NoteFault;
  /** The parts of the table that are read simultaneously. */
  readonly segments: number;
}

export interface Backfilled {
  items: number;
  facts: number;
}

/** Limits the facts of a file, which the packer holds in memory. */
const factsOfFile = 20_000;

/**
 * Writes facts of all items as fresh lines. Facts that the stream also brings have the same ids or later versions, so
 * this may be repeated, and cut off anywhere.
 */
export async function backfillFacts({ table, bucket, name, note, segments }: Backfill): Promise<Backfilled> {
  const done: Backfilled = { items: 0, facts: 0 };
  const walk = async (index: number) => {
    let lines: string[] = [];
    let number = 0;
    const write = async () => {
      if (lines.length === 0) return;
      number += 1;
      const place = `${factAreas.fresh}/backfill/${name}/${index}-${String(number).padStart(6, '0')}.gz`;
      await bucket.write(place, gzipSync(lines.join('')));
      lines = [];
    };
    for await (const page of walkItems(table, { index, of: segments })) {
      const facts = page.flatMap((item) => findFactsOfItem(rawKey(item), readRawItem(item), note));
      lines.push(...facts.map(writeFactLine));
      done.items += page.length;
      done.facts += facts.length;
      if (lines.length >= factsOfFile) await write();
    }
    await write();
  };
  await Promise.all(Array.from({ length: segments }, (_, index) => walk(index)));
  return done;
}

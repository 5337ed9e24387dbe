import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FactBucket } from './fact-bucket.ts';
import { writeFactLine } from './fact-lines.ts';
import { factAreas } from './fact-places.ts';
import type { FactStream } from './fact-stream.ts';

interface Safety {
  readonly stream: FactStream;
  /** Opens the bucket of facts. Its client is loaded only if the stream fails. */
  readonly openBucket: () => Promise<Pick<FactBucket, 'write'>>;
  readonly clock: () => Date;
  readonly note: (error: unknown) => void;
}

/** Facts go to the bucket this long after a failure, so that a batch does not wait for a stream that hangs. */
const avoidedForInMs = 60_000;

/**
 * Writes facts into the bucket while the stream accepts none, in addition to the lines that the stream brings. The
 * same facts have the same file, and a fact that the stream took before it failed counts once. It throws if neither
 * accepts the facts.
 */
export function createSafeFactStream({ stream, openBucket, clock, note }: Safety): FactStream {
  let avoidedUntil = 0;
  async function isTaken(send: () => Promise<void>): Promise<boolean> {
    if (clock().getTime() < avoidedUntil) return false;
    try {
      await send();
      return true;
    } catch (error) {
      avoidedUntil = clock().getTime() + avoidedForInMs;
      note(error);
      return false;
    }
  }
  return {
    send: async (facts) => {
      if (facts.length === 0 || (await isTaken(() => stream.send(facts)))) return;
      const lines = facts.map(writeFactLine).join('');
      const name = createHash('sha256').update(lines).digest('hex');
      await (await openBucket()).write(`${factAreas.fresh}/direct/${name}.gz`, gzipSync(lines));
    },
  };
}

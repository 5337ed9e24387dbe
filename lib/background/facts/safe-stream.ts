import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { readEnvironment } from '../../core/environment.ts';
import { describeFailure } from '../../core/failure.ts';
import type { Dependencies } from '../../http/composition.ts';
import { writeFactLine } from './fact-lines.ts';
import { factAreas } from './fact-places.ts';
import { createFactStream, createFirehoseClient, type FactStream } from './fact-stream.ts';
import type { FactBucket } from './pack/fact-bucket.ts';

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
 * Writes facts into the bucket while the stream takes none, beside the lines that the stream brings. The same facts have
 * the same file, and a fact that the stream took before it failed counts once. It throws if neither takes the facts.
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

const environment = v.object({
  FACT_STREAM: v.string(),
  FACTS_BUCKET: v.string(),
  /** The address of a local S3. */
  FILES_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
  /** The address of a local Firehose. */
  FIREHOSE_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
});

type Own = Pick<Dependencies, 'clock' | 'log'>;

export function composeFactStream(env: NodeJS.ProcessEnv, { clock, log }: Own): FactStream {
  const { FACT_STREAM, FACTS_BUCKET, FILES_ENDPOINT, FIREHOSE_ENDPOINT } = readEnvironment(environment, env);
  const message = 'Firehose takes no facts: they go to the bucket';
  return createSafeFactStream({
    stream: createFactStream(createFirehoseClient(FIREHOSE_ENDPOINT), FACT_STREAM),
    openBucket: async () => {
      const { createFactBucket } = await import('./pack/fact-bucket.ts');
      const { createS3Client } = await import('../../core/files/bucket.ts');
      return createFactBucket(createS3Client(FILES_ENDPOINT), FACTS_BUCKET);
    },
    clock,
    note: (error) => {
      const about = { level: 'error', time: clock().toISOString(), part: 'facts', message };
      log(JSON.stringify({ ...about, ...describeFailure(error) }));
    },
  });
}

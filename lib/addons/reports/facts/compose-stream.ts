import * as v from 'valibot';
import { readEnvironment } from '#kernel/core/environment.ts';
import { describeFailure } from '#kernel/core/failure.ts';
import type { Dependencies } from '#kernel/http/composition.ts';
import { createFactStream, createFirehoseClient, type FactStream } from './fact-stream.ts';
import { createSafeFactStream } from './safe-stream.ts';

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
  const message = 'Firehose accepts no facts: they are written to the bucket';
  return createSafeFactStream({
    stream: createFactStream(createFirehoseClient(FIREHOSE_ENDPOINT), FACT_STREAM),
    openBucket: async () => {
      const { createFactBucket } = await import('./fact-bucket.ts');
      const { createS3Client } = await import('#kernel/core/files/bucket.ts');
      return createFactBucket(createS3Client(FILES_ENDPOINT), FACTS_BUCKET);
    },
    clock,
    note: (error) => {
      const about = { level: 'error', time: clock().toISOString(), part: 'facts', message };
      log(JSON.stringify({ ...about, ...describeFailure(error) }));
    },
  });
}

import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { createFactBucket } from '../../lib/background/facts/pack/fact-bucket.ts';
import { packFacts } from '../../lib/background/facts/pack/pack-facts.ts';
import { readEnvironment } from '../../lib/core/environment.ts';
import { createS3Client } from '../../lib/core/files/bucket.ts';
import { compose, type Dependencies } from '../../lib/http/composition.ts';
import { isProjectDeleted } from '../../lib/http/projects/project.ts';
import { Table } from '../../lib/table/table.ts';

const environment = v.object({
  FACTS_BUCKET: v.string(),
  /** The address of a local S3. */
  FILES_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
});

/** Leaves time for a whole pack. */
const reserveInMs = 4 * 60_000;

let composed: { own: Dependencies; bucket: ReturnType<typeof createFactBucket> } | undefined;

function composePacker(env: NodeJS.ProcessEnv) {
  const { FACTS_BUCKET, FILES_ENDPOINT } = readEnvironment(environment, env);
  return { own: compose(env), bucket: createFactBucket(createS3Client(FILES_ENDPOINT), FACTS_BUCKET) };
}

/** The input of the calls between the hours, which only go on with a backlog. */
const call = v.object({ only: v.optional(v.literal('backlog')) });

/** Lambda calls this handler each hour, and for a backlog each twelve minutes between. An alarm reads its log line. */
export async function handler(input: unknown, { getRemainingTimeInMillis }: Context): Promise<void> {
  composed ??= composePacker(process.env);
  const { own, bucket } = composed;
  const { dynamodb, tableName, clock, log } = own;
  const table = new Table(dynamodb, tableName, clock());
  const findDeleted = async (projectIds: readonly string[]) => {
    const deleted = await Promise.all(projectIds.map((id) => isProjectDeleted(table, id)));
    return projectIds.filter((_id, index) => deleted[index]);
  };
  const isTimeUp = () => getRemainingTimeInMillis() < reserveInMs;
  const read = v.safeParse(call, input);
  const onlyBacklog = read.success && read.output.only === 'backlog';
  const packed = await packFacts({ bucket, clock, isTimeUp, findDeleted, onlyBacklog });
  if (onlyBacklog && packed.written === 0) return;
  const level = packed.malformed > 0 ? 'error' : 'info';
  log(JSON.stringify({ level, time: clock().toISOString(), job: 'pack-facts', ...packed }));
}

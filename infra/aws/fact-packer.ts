import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { createFactBucket } from '#addons/reports/facts/fact-bucket.ts';
import { packFacts } from '#addons/reports/facts/pack/pack-facts.ts';
import { isPackDue } from '#addons/reports/facts/pack/pack-note.ts';
import { isProjectDeleted } from '#kernel/access/projects/project.ts';
import { readEnvironment } from '#kernel/core/environment.ts';
import { createS3Client } from '#kernel/core/files/bucket.ts';
import { compose, type Dependencies } from '#kernel/http/composition.ts';
import { Table } from '#kernel/table/table.ts';

const environment = v.object({
  FACTS_BUCKET: v.string(),
  /** The address of a local S3. */
  FILES_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
});

/** A whole pack ends in this time, and two calls must not pack simultaneously. */
const reserveInMs = 4 * 60_000;

let composed: { own: Dependencies; bucket: ReturnType<typeof createFactBucket> } | undefined;

function composePacker(env: NodeJS.ProcessEnv) {
  const { FACTS_BUCKET, FILES_ENDPOINT } = readEnvironment(environment, env);
  return { own: compose(env), bucket: createFactBucket(createS3Client(FILES_ENDPOINT), FACTS_BUCKET) };
}

/**
 * Lambda calls this handler each quarter of an hour. It packs each hour, or continues with the rest. An alarm reads
 * its log line.
 */
export async function handler(_: unknown, { getRemainingTimeInMillis }: Context): Promise<void> {
  composed ??= composePacker(process.env);
  const { own, bucket } = composed;
  const { dynamodb, tableName, clock, log } = own;
  if (!(await isPackDue(bucket, clock()))) return;
  const table = new Table(dynamodb, tableName, clock());
  const findDeleted = async (projectIds: readonly string[]) => {
    const deleted = await Promise.all(projectIds.map((id) => isProjectDeleted(table, id)));
    return projectIds.filter((_id, index) => deleted[index]);
  };
  const isTimeUp = () => getRemainingTimeInMillis() < reserveInMs;
  const packed = await packFacts({ bucket, clock, isTimeUp, findDeleted });
  const level = packed.malformed > 0 ? 'error' : 'info';
  log(JSON.stringify({ level, time: clock().toISOString(), job: 'pack-facts', ...packed }));
}

import { DescribeTableCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { HeadBucketCommand } from '@aws-sdk/client-s3';
import type { Cloud } from './cloud.ts';
import { destroy } from './commands.ts';
import type { Stage, World } from './stage.ts';

/** Deletes a stage, and compares what stays with docs/operations.md. */

interface Left {
  readonly table: boolean;
  readonly bucket: boolean;
  readonly functions: number;
  readonly logs: boolean;
}

async function lookFor(cloud: Cloud, stage: Stage): Promise<Left> {
  const { table, stack, outputs } = stage;
  const hasTable = await cloud.dynamodb.send(new DescribeTableCommand({ TableName: table })).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ResourceNotFoundException) return false;
      throw error;
    },
  );
  const hasBucket = await cloud.s3.send(new HeadBucketCommand({ Bucket: outputs.FilesBucket })).then(
    () => true,
    () => false,
  );
  const functions = (await cloud.codeOf(stack)).size;
  const logs = (await cloud.logGroupsOf(stack)).length > 0;
  return { table: hasTable, bucket: hasBucket, functions, logs };
}

/** Throws if something stays that should be deleted, or the reverse. */
export async function deleteStage(world: World, stage: Stage, isProtected: boolean): Promise<void> {
  await world.timed(`delete ${stage.name}`, () => destroy(world.shell, stage.name, stage.assembly.folder));
  await stage.front.close();
  const left = await lookFor(world.cloud, stage);
  const documented: Left = { table: isProtected, bucket: true, functions: 0, logs: isProtected };
  if (JSON.stringify(left) !== JSON.stringify(documented))
    throw new Error(`after the deletion of ${stage.name}: ${JSON.stringify(left)}, not ${JSON.stringify(documented)}`);
}

import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Complaint } from '../../command-line.ts';

/** Restores a table to a new table, by DynamoDB's point-in-time recovery. */

export interface TableState {
  readonly status: string;
  /** The KMS key that encrypts the table, if the table has a specific key. */
  readonly keyArn?: string | undefined;
  readonly arn?: string | undefined;
  /** Names the source of a restored table. */
  readonly restored?: { readonly from?: string | undefined; readonly at?: Date | undefined } | undefined;
}

/** Describes the calls that AWS has and no local engine. */
export interface PointInTime {
  describe: (tableName: string) => Promise<TableState | undefined>;
  /** Returns the first and last time that the table can be restored to, or `undefined` without recovery. */
  window: (tableName: string) => Promise<{ earliest: Date; latest: Date } | undefined>;
  restore: (wanted: { source: string; target: string; at: Date; keyArn?: string | undefined }) => Promise<void>;
  pause: (milliseconds: number) => Promise<void>;
}

const pollInMs = 20_000;

export function pointInTimeOf(dynamodb: DynamoDBDocumentClient): PointInTime {
  return {
    describe: async (TableName) => {
      try {
        const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
        const { RestoreSummary: summary } = Table ?? {};
        return {
          status: Table?.TableStatus ?? 'UNKNOWN',
          arn: Table?.TableArn,
          keyArn: Table?.SSEDescription?.KMSMasterKeyArn,
          restored: summary && { from: summary.SourceTableArn, at: summary.RestoreDateTime },
        };
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      }
    },
    window: async (TableName) => {
      const reply = await dynamodb.send(new DescribeContinuousBackupsCommand({ TableName }));
      const recovery = reply.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
      const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } = recovery ?? {};
      return earliest && latest ? { earliest, latest } : undefined;
    },
    restore: async ({ source, target, at, keyArn }) => {
      await dynamodb.send(
        new RestoreTableToPointInTimeCommand({
          SourceTableName: source,
          TargetTableName: target,
          RestoreDateTime: at,
          ...(keyArn === undefined
            ? {}
            : { SSESpecificationOverride: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: keyArn } }),
        }),
      );
    },
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
}

interface Wanted {
  readonly source: string;
  readonly target: string;
  readonly at: Date;
}

/** Returns whether the table already is the requested restore, or becomes it. A second run then only waits. */
function isOurs({ restored }: TableState, source: TableState, at: Date): boolean {
  return restored?.from === source.arn && restored?.at?.getTime() === at.getTime();
}

/** Restores the source to a new table, and returns when that can be read. An interrupted run may be started again. */
export async function restoreTable(aws: PointInTime, { source, target, at }: Wanted): Promise<void> {
  if (source === target)
    throw new Complaint(`${target} is the table itself: name a new table, because a restore makes a new table`);
  const original = await aws.describe(source);
  if (!original) throw new Complaint(`TABLE_NAME: the table ${source} does not exist`);
  const present = await aws.describe(target);
  if (present && !isOurs(present, original, at)) {
    throw new Complaint(
      `the table ${target} exists and is not a restore of ${source} to ${at.toISOString()}: name another`,
    );
  }
  if (!present) {
    const window = await aws.window(source);
    if (!window) throw new Complaint(`${source} has no point-in-time recovery`);
    if (at < window.earliest || at > window.latest) {
      const [from, to] = [window.earliest.toISOString(), window.latest.toISOString()];
      throw new Complaint(`${source} can be restored to times from ${from} to ${to}`);
    }
    await aws.restore({ source, target, at, keyArn: original.keyArn });
  }
  for (;;) {
    const state = await aws.describe(target);
    if (state?.status === 'ACTIVE') return;
    if (state && state.status !== 'CREATING') throw new Complaint(`${target} is ${state.status}: it was not restored`);
    await aws.pause(pollInMs);
  }
}

import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { listIndexes } from '#kernel/table/listing.ts';
import { type Alarms, alarmPeriod } from './alarms.ts';

/** Silence lasts for three periods of five minutes, because a write at the end of a period is handed over in the next. */
const silentPeriods = 3;

/**
 * Watches that writes lead to calls of the readers of the stream. No other alarm rings if an event source is off, or its filter passes
 * nothing, because readers without calls have no errors. Writes of the first index of lists count, because the filters pass every item of
 * that index, and few of the other items.
 */
export function watchStream(
  scope: Construct,
  alarms: Alarms,
  { table, readers }: { table: TableV2; readers: readonly LambdaFunction[] },
): void {
  const period = alarmPeriod;
  const written = new Metric({
    namespace: 'AWS/DynamoDB',
    metricName: 'ConsumedWriteCapacityUnits',
    dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: listIndexes.first },
    statistic: Stats.SUM,
    period,
  });
  const calls = readers.map((reader, index) => [`calls${index}`, reader.metricInvocations({ period })] as const);
  const silent = calls.map(([name]) => `FILL(${name}, 0) == 0`).join(' OR ');
  alarms.add(scope, 'silent-stream', {
    urgency: 'ticket',
    description: 'The table is written, and a reader of its stream is not called: see its event source, and the filter',
    metric: new MathExpression({
      expression: `IF(FILL(written, 0) > 0 AND (${silent}), 1, 0)`,
      usingMetrics: { written, ...Object.fromEntries(calls) },
      period,
    }),
    above: 0,
    periods: silentPeriods,
  });
}

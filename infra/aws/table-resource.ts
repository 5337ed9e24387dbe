import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  Billing,
  CfnGlobalTable,
  Operation,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { includedAttributes, tableShape } from '#kernel/table/keys.ts';
import { type Alarms, alarmPeriod, sumMetrics } from './alarms.ts';
import type { StageSettings } from './settings.ts';

const indexes = Object.entries(tableShape.indexes).map(([indexName, index]) => ({
  indexName,
  partitionKey: { name: index.partitionKey, type: AttributeType.STRING },
  sortKey: { name: index.sortKey, type: AttributeType.STRING },
  projectionType: ProjectionType[index.projection],
  ...(index.projection === 'INCLUDE' ? { nonKeyAttributes: includedAttributes } : {}),
}));

/**
 * Lets every role that may use the table use its key, but only through the table. DynamoDB's own key works in the same
 * way, so the roles stay unchanged.
 */
function createTableKey(scope: Construct): Key {
  const stack = Stack.of(scope);
  const key = new Key(scope, 'table-key', {
    description: `${stack.stackName}: the key of the table. Without it the table and its backups can't be read`,
    enableKeyRotation: true,
    pendingWindow: Duration.days(30),
    removalPolicy: RemovalPolicy.RETAIN,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new AnyPrincipal()],
      actions: [
        'kms:Decrypt',
        'kms:DescribeKey',
        'kms:Encrypt',
        'kms:GenerateDataKey*',
        'kms:ReEncrypt*',
        'kms:CreateGrant',
      ],
      resources: ['*'],
      conditions: {
        StringEquals: {
          'kms:CallerAccount': stack.account,
          'kms:ViaService': `dynamodb.${stack.region}.${stack.urlSuffix}`,
        },
      },
    }),
  );
  return key;
}

export function createTable(scope: Construct, { keepData: keep, ownTableKey }: StageSettings): TableV2 {
  const table = new TableV2(scope, 'table', {
    partitionKey: { name: tableShape.partitionKey, type: AttributeType.STRING },
    sortKey: { name: tableShape.sortKey, type: AttributeType.STRING },
    globalSecondaryIndexes: indexes,
    billing: Billing.onDemand(),
    timeToLiveAttribute: tableShape.timeToLive,
    dynamoStream: StreamViewType[tableShape.streamView],
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: keep,
    removalPolicy: keep ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  if (ownTableKey) {
    const resource = table.node.defaultChild;
    if (!(resource instanceof CfnGlobalTable)) throw new Error('the table is not a global table');
    // TableV2 accepts a key only if the region is known at synthesis.
    resource.addPropertyOverride('SSESpecification', { SSEEnabled: true, SSEType: 'KMS' });
    resource.addPropertyOverride('Replicas.0.SSESpecification.KMSMasterKeyId', createTableKey(scope).keyArn);
  }
  return table;
}

/** Adds the throttles of the table and of its indexes, which CloudWatch counts apart. */
function throttlesOf(table: TableV2, metricName: 'ReadThrottleEvents' | 'WriteThrottleEvents'): MathExpression {
  const ofIndexes = indexes.map(({ indexName }) => ({ GlobalSecondaryIndexName: indexName }));
  return sumMetrics(
    [{}, ...ofIndexes].map((index) =>
      table.metric(metricName, {
        statistic: Stats.SUM,
        period: alarmPeriod,
        dimensionsMap: { TableName: table.tableName, ...index },
      }),
    ),
  );
}

export function watchTable(
  scope: Construct,
  table: TableV2,
  { tableThrottles, watchesAll }: StageSettings,
  alarms: Alarms,
): void {
  if (!watchesAll) {
    alarms.add(scope, 'table-write-throttles', {
      urgency: 'ticket',
      description:
        'The table refuses writes: one partition gets too many, or the whole table gets far more than ever before',
      metric: table.metric('WriteThrottleEvents', {
        statistic: Stats.SUM,
        period: alarmPeriod,
        dimensionsMap: { TableName: table.tableName },
      }),
      above: tableThrottles,
    });
    return;
  }
  for (const [kind, metricName] of [
    ['read', 'ReadThrottleEvents'],
    ['write', 'WriteThrottleEvents'],
  ] as const) {
    alarms.add(scope, `table-${kind}-throttles`, {
      urgency: 'ticket',
      description: `The table refuses ${kind}s: one partition gets too many, or the whole table gets far more than ever before`,
      metric: throttlesOf(table, metricName),
      above: tableThrottles,
    });
  }
  const operations = [
    Operation.GET_ITEM,
    Operation.BATCH_GET_ITEM,
    Operation.QUERY,
    Operation.PUT_ITEM,
    Operation.UPDATE_ITEM,
    Operation.TRANSACT_WRITE_ITEMS,
    Operation.TRANSACT_GET_ITEMS,
  ];
  alarms.add(scope, 'table-system-errors', {
    urgency: 'ticket',
    description: "DynamoDB fails by itself: see AWS's health dashboard",
    metric: table.metricSystemErrorsForOperations({ operations, period: alarmPeriod }),
    above: 0,
    periods: 2,
  });
}

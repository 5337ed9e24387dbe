import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { includedAttributes, tableShape } from '#kernel/table/keys.ts';

const { partitionKey, sortKey, timeToLive, streamView, indexes } = tableShape;

const shapes = Object.entries(indexes).map(([IndexName, index]) => ({ IndexName, ...index }));

const indexKeys = shapes.flatMap((index) => [
  { AttributeName: index.partitionKey, AttributeType: 'S' as const },
  { AttributeName: index.sortKey, AttributeType: 'S' as const },
]);

const attributeDefinitions = [
  ...new Map(
    [
      { AttributeName: partitionKey, AttributeType: 'S' as const },
      { AttributeName: sortKey, AttributeType: 'S' as const },
      ...indexKeys,
    ].map((definition) => [definition.AttributeName, definition]),
  ).values(),
];

const globalIndexes = shapes.map((index) => ({
  IndexName: index.IndexName,
  KeySchema: [
    { AttributeName: index.partitionKey, KeyType: 'HASH' as const },
    { AttributeName: index.sortKey, KeyType: 'RANGE' as const },
  ],
  Projection: {
    ProjectionType: index.projection,
    ...(index.projection === 'INCLUDE' ? { NonKeyAttributes: includedAttributes } : {}),
  },
}));

/** Names the table on a local engine by default. */
export const defaultTableName = 'tessera';

const activeWithinInSeconds = 30;

/** Creates the table if it is missing. Returns when it can be used. */
export async function createTable(
  client: DynamoDBClient,
  tableName: string,
  { withStream = true }: { withStream?: boolean } = {},
): Promise<void> {
  try {
    await client.send(
      new CreateTableCommand({
        TableName: tableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: attributeDefinitions,
        KeySchema: [
          { AttributeName: partitionKey, KeyType: 'HASH' },
          { AttributeName: sortKey, KeyType: 'RANGE' },
        ],
        GlobalSecondaryIndexes: globalIndexes,
        ...(withStream ? { StreamSpecification: { StreamEnabled: true, StreamViewType: streamView } } : {}),
      }),
    );
  } catch (error) {
    if (error instanceof ResourceInUseException) return untilActive(client, tableName);
    throw error;
  }
  await untilActive(client, tableName);
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: { AttributeName: timeToLive, Enabled: true },
    }),
  );
}

async function untilActive(client: DynamoDBClient, tableName: string): Promise<void> {
  await waitUntilTableExists(
    { client, maxWaitTime: activeWithinInSeconds, minDelay: 1, maxDelay: 1 },
    { TableName: tableName },
  );
}

import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Key, keyOf } from '#kernel/table/keys.ts';
import { putMissing, type RawItem, type RawTable, walkItems } from '#kernel/table/raw-items.ts';
import { testDependencies } from './dependencies.ts';

/** A live table, and its earlier state as a restore makes it. */

/** Returns the table of the test file. */
export function liveTable({ dynamodb, tableName } = testDependencies()): RawTable {
  return { dynamodb, tableName };
}

export async function itemsIn(table: RawTable): Promise<RawItem[]> {
  const items: RawItem[] = [];
  for await (const page of walkItems(table, { index: 0, of: 1 })) items.push(...page);
  return items;
}

/** Copies everything, as a restore does. */
export async function snapshot(from: RawTable, tableName: string): Promise<RawTable> {
  const side = { ...from, tableName };
  for (const item of await itemsIn(from)) await putMissing(side, item);
  return side;
}

/** Deletes the items that match, and returns their number. */
export async function lose(table: RawTable, isLost: (kind: string, item: RawItem) => boolean): Promise<number> {
  const lost = (await itemsIn(table)).filter((item) => isLost(item.sk?.S?.split('#')[0] ?? '', item));
  for (const item of lost) {
    const Key = keyOf({ pk: item.pk?.S, sk: item.sk?.S });
    await table.dynamodb.send(new DeleteCommand({ TableName: table.tableName, Key }));
  }
  return lost.length;
}

/** Changes one attribute, as a bad release would. */
export async function spoil({ dynamodb, tableName }: RawTable, key: Key, name: string, value: unknown): Promise<void> {
  await dynamodb.send(
    new UpdateCommand({
      TableName: tableName,
      Key: key,
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
}

import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { type Condition, type Query, type Write, whenNotThere } from './command.ts';
import type { Attributes } from './item.ts';
import { stripKey, tableShape } from './keys.ts';
import { fenceMarks } from './tombstone.ts';

function hasConstructorKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  return (!Array.isArray(value) && Object.hasOwn(value, 'constructor')) || Object.values(value).some(hasConstructorKey);
}

/**
 * Replaces objects that have a key `constructor` by maps, so that the SDK can marshal them. The SDK distinguishes objects by the name
 * of their constructor, and metadata of a caller may have any key.
 */
function storable<T>(value: T): unknown {
  if (!hasConstructorKey(value)) return value;
  if (Array.isArray(value)) return value.map(storable);
  return new Map(Object.entries(value ?? {}).map(([name, inner]) => [name, storable(inner)]));
}

/** Prepares an item or the values of an expression. Their names are fixed, but values may come from a caller. */
export function prepareValues(values: Attributes): Attributes {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, storable(value)]));
}

/** Builds the parameters of a condition. */
export function buildCondition({ condition, names, values }: Condition) {
  return {
    ...(condition ? { ConditionExpression: condition } : {}),
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: prepareValues(values) } : {}),
  };
}

/** Builds one part of a TransactWriteItems. */
export function buildTransactItem(tableName: string, write: Write) {
  const ReturnValuesOnConditionCheckFailure = 'ALL_OLD' as const;
  if ('insert' in write || 'replace' in write) {
    const Item = prepareValues({ ...('insert' in write ? write.insert : write.replace), ...stripKey(write.key) });
    const condition = 'insert' in write ? (write.over ?? whenNotThere) : write.when;
    return { Put: { TableName: tableName, Item, ...buildCondition(condition), ReturnValuesOnConditionCheckFailure } };
  }
  const condition = 'change' in write ? write.change : 'remove' in write ? write.remove : write.check;
  const common = {
    TableName: tableName,
    Key: stripKey(write.key),
    ...buildCondition(condition),
    ReturnValuesOnConditionCheckFailure,
  };
  if ('change' in write) return { Update: { ...common, UpdateExpression: write.change.set } };
  if ('remove' in write) return { Delete: common };
  return { ConditionCheck: { ...common, ConditionExpression: condition.condition } };
}

/** Builds PartiQL that inserts an item under a free key. */
export function buildInsert(tableName: string, item: Attributes) {
  const attributes = Object.entries(item).filter(([, value]) => value !== undefined);
  const names = attributes.map(([name]) => `'${name.replaceAll("'", "''")}': ?`);
  return {
    Statement: `INSERT INTO "${tableName}" VALUE {${names.join(', ')}}`,
    Parameters: attributes.map(([, value]) => storable(value)),
  };
}

/** Returns the parameters that limit what a read returns to these attributes or paths. */
export function buildProjection(only: readonly string[]) {
  const paths = only.map((path) => path.split('.'));
  return {
    names: Object.fromEntries(paths.flat().map((name) => [`#only_${name}`, name])),
    expression: paths.map((path) => path.map((name) => `#only_${name}`).join('.')).join(', '),
  };
}

/** Builds a single call of a query. `open` items are still wanted, after the key `start`. */
export function buildQuery(
  tableName: string,
  { index, partition, from, to, only, descending = false, atOnce = Number.POSITIVE_INFINITY }: Query,
  { open, start }: { open: number; start: Attributes | undefined },
): QueryCommandInput {
  const limit = Math.min(open, atOnce);
  const projection = only && buildProjection(index ? only : [...new Set([...fenceMarks, ...only])]);
  const shape = index && tableShape.indexes[index];
  const range =
    from !== undefined && to !== undefined
      ? ' AND #sort BETWEEN :from AND :to'
      : from !== undefined
        ? ' AND #sort >= :from'
        : to !== undefined
          ? ' AND #sort <= :to'
          : '';
  return {
    TableName: tableName,
    ...(index ? { IndexName: index } : {}),
    ConsistentRead: shape === undefined,
    KeyConditionExpression: `#partition = :partition${range}`,
    ExpressionAttributeNames: {
      '#partition': (shape ?? tableShape).partitionKey,
      ...(range ? { '#sort': (shape ?? tableShape).sortKey } : {}),
      ...projection?.names,
    },
    ...(projection ? { ProjectionExpression: projection.expression } : {}),
    ExpressionAttributeValues: { ':partition': partition, ':from': from, ':to': to },
    ScanIndexForward: !descending,
    ...(limit === Number.POSITIVE_INFINITY ? {} : { Limit: limit }),
    ...(start ? { ExclusiveStartKey: start } : {}),
    ReturnConsumedCapacity: 'TOTAL',
  };
}

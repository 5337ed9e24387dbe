import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { testDependencies } from './dependencies.ts';

/** Makes a worker's client that dies at call `left`, before or after the table has carried it out. From then on nothing answers. */
export function mortal(left: number, isDone: boolean, options: { tableName?: string } = {}) {
  const { dynamodb } = testDependencies();
  let calls = 0;
  const send = async (command: Parameters<DynamoDBDocumentClient['send']>[0]) => {
    calls += 1;
    const reply = calls < left || (calls === left && isDone) ? await dynamodb.send(command) : undefined;
    if (calls >= left) throw new Error('killed');
    return reply;
  };
  return testDependencies({ ...options, dynamodb: Object.assign(Object.create(dynamodb), { send }) });
}

import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import type { TestProject } from 'vitest/node';
import { createTable } from '../../infra/local/create-table.ts';
import { startEngine } from '../../infra/local/engine.ts';
import { dynamodbClient } from '../../lib/composition.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the one engine that all test files share. */
    endpoint: string;
    /** Of the one table; every test works in a project of its own. */
    tableName: string;
    engineName: string;
  }
}

/** One engine and one table for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engine = await startEngine({ prefer: 'dynamodb-local', env: process.env });
  const tableName = `tessera-test-${randomUUID()}`;
  const client = dynamodbClient(engine.endpoint);
  try {
    // Without a stream: the engines look through all of its records at each write. A test that reads one has its own table.
    await createTable(client, tableName, { withStream: false });
  } catch (error) {
    await engine.stop();
    throw error;
  }
  process.stdout.write(`DynamoDB engine: ${engine.name} (${engine.why})\n`);
  project.provide('endpoint', engine.endpoint);
  project.provide('tableName', tableName);
  project.provide('engineName', engine.name);
  return async () => {
    // An engine that was there before us outlives the table.
    await client.send(new DeleteTableCommand({ TableName: tableName })).finally(engine.stop);
    client.destroy();
  };
}

import { type DynamoDBClient, ListTablesCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ServiceError } from '#kernel/core/errors.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { Table } from '#kernel/table/table.ts';
import { Complaint } from '../command-line.ts';
import { endpointUrl, readSettings, tableName as tableNameSetting } from '../environment.ts';
import { createTable, defaultTableName } from '../local/create-table.ts';

/** Holds the table that an operator's command works on. */

/** A command may wait longer than a request, because no customer waits for it. */
const patienceInMs = 30_000;

/** Explains the environment in the help of every command that works on a table. */
export const tableNotes = `  TABLE_NAME         the table on AWS, as \`npm run deploy\` prints it. AWS_REGION and credentials are also needed.
  DYNAMODB_ENDPOINT  a local engine instead (its table is "${defaultTableName}" unless TABLE_NAME names another)
`;

export interface Target {
  dynamodb: DynamoDBDocumentClient;
  tableName: string;
  table: Table;
  now: Date;
}

const environment = v.object({ TABLE_NAME: v.optional(tableNameSetting), DYNAMODB_ENDPOINT: v.optional(endpointUrl) });

/**
 * Lets `use` work on the table that the environment names. With `make`, a missing table is created on a local engine.
 */
export async function withTable<T>(
  env: NodeJS.ProcessEnv,
  { make = false }: { make?: boolean },
  use: (target: Target) => Promise<T>,
): Promise<T> {
  const { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME } = readSettings(environment, env);
  const tableName = TABLE_NAME ?? (endpoint === undefined ? undefined : defaultTableName);
  if (tableName === undefined) throw new Complaint('TABLE_NAME or DYNAMODB_ENDPOINT must name the table.');
  const client = createDynamodbClient(endpoint, {
    connectionTimeoutInMs: patienceInMs,
    replyTimeoutInMs: patienceInMs,
  });
  try {
    await refuseUnreachable(client, endpoint, make ? tableName : undefined);
    const dynamodb = createDocumentClient(client);
    const now = new Date();
    return await use({ dynamodb, tableName, table: new Table(dynamodb, tableName, now), now });
  } catch (error) {
    throw clearerError(error, tableName);
  } finally {
    client.destroy();
  }
}

/** Checks before any work that the local engine answers, or that the environment names a region of AWS. */
async function refuseUnreachable(
  client: DynamoDBClient,
  endpoint: string | undefined,
  tableToMake: string | undefined,
): Promise<void> {
  if (endpoint === undefined) {
    await client.config.region().catch((error: unknown) => {
      throw new Complaint(`AWS_REGION must name the region of the table (${whyOf(error)})`);
    });
  } else if (tableToMake !== undefined) {
    await createTable(client, tableToMake).catch((error: unknown) => {
      throw unreachable(endpoint, error);
    });
  } else {
    await client.send(new ListTablesCommand({ Limit: 1 })).catch((error: unknown) => {
      throw unreachable(endpoint, error);
    });
  }
}

function unreachable(endpoint: string, error: unknown): Complaint {
  return new Complaint(`no DynamoDB answers at DYNAMODB_ENDPOINT, ${endpoint} (${whyOf(error)})`);
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function clearerError(error: unknown, tableName: string): unknown {
  if (error instanceof ResourceNotFoundException)
    return new Complaint(`TABLE_NAME: the table ${tableName} does not exist`);
  if (error instanceof ServiceError) {
    const about = error.resource ? `${error.resource.type} ${error.resource.id}: ` : '';
    return new Complaint(about + error.details);
  }
  if (error instanceof Error && error.name === 'CredentialsProviderError') {
    return new Complaint(`AWS credentials: ${error.message}`);
  }
  return error;
}

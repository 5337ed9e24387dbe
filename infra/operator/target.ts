import { type DynamoDBClient, ListTablesCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ServiceError } from '../../lib/core/errors.ts';
import { dynamodbClient } from '../../lib/http/composition.ts';
import { documentClient } from '../../lib/table/connection.ts';
import { Table } from '../../lib/table/table.ts';
import { Complaint } from '../command-line.ts';
import { endpointUrl, readSettings, tableName as tableNameSetting } from '../environment.ts';
import { createTable, defaultTableName } from '../local/create-table.ts';

/** The table that an operator's command is about. */

/** Nobody waits for a command as one waits for a request. */
const patienceInMs = 30_000;

/** For the help of every command that works on a table. */
export const tableNotes = `  TABLE_NAME         the table on AWS, as \`npm run deploy\` prints it; AWS_REGION and credentials as for any AWS tool
  DYNAMODB_ENDPOINT  a local engine instead; the table there is "${defaultTableName}" unless TABLE_NAME says otherwise
`;

export interface Target {
  dynamodb: DynamoDBDocumentClient;
  tableName: string;
  table: Table;
  now: Date;
}

const environment = v.object({ TABLE_NAME: v.optional(tableNameSetting), DYNAMODB_ENDPOINT: v.optional(endpointUrl) });

/** Lets `use` work on the table that the environment names; `make`: on a local engine it is made if it is missing. */
export async function withTable<T>(
  env: NodeJS.ProcessEnv,
  { make = false }: { make?: boolean },
  use: (target: Target) => Promise<T>,
): Promise<T> {
  const { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME } = readSettings(environment, env);
  const tableName = TABLE_NAME ?? (endpoint === undefined ? undefined : defaultTableName);
  if (tableName === undefined) throw new Complaint('TABLE_NAME or DYNAMODB_ENDPOINT must say which table.');
  const client = dynamodbClient(endpoint, { connectionTimeoutInMs: patienceInMs, replyTimeoutInMs: patienceInMs });
  try {
    await refuseUnreachable(client, endpoint, make ? tableName : undefined);
    const dynamodb = documentClient(client);
    const now = new Date();
    return await use({ dynamodb, tableName, table: new Table(dynamodb, tableName, now), now });
  } catch (error) {
    throw clearerError(error, tableName);
  } finally {
    client.destroy();
  }
}

/** Before any work: a local engine that does not answer, or nothing that says which region of AWS. */
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
    return new Complaint(`TABLE_NAME: there is no table ${tableName} there`);
  if (error instanceof ServiceError) {
    const about = error.resource ? `${error.resource.type} ${error.resource.id}: ` : '';
    return new Complaint(about + error.details);
  }
  if (error instanceof Error && error.name === 'CredentialsProviderError') {
    return new Complaint(`AWS credentials: ${error.message}`);
  }
  return error;
}

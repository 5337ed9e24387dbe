import { type DynamoDBClient, ListTablesCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { dynamodbClient } from '../../lib/composition.ts';
import { documentClient, Table } from '../../lib/dynamodb.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createTable, defaultTableName } from '../local/create-table.ts';
import { Complaint, endpointUrl, readSettings, tableName as tableNameSetting } from './settings.ts';

/** What the commands of an operator share: help, the table that they are about, and how they end. */

/** Nobody waits for a command as one waits for a request. */
const patienceInMs = 30_000;

const exitCodes = { refused: 1, misused: 2 } as const;

const tableHelp = `
  TABLE_NAME         the table on AWS, as \`npm run deploy\` prints it; AWS_REGION and credentials as for any AWS tool
  DYNAMODB_ENDPOINT  a local engine instead; the table there is "${defaultTableName}" unless TABLE_NAME says otherwise

Ends with 0 when it is done, 1 when it was refused or has failed, 2 when it was called wrongly.
`;

/** The command line makes no sense; told with the command's help. */
export class Misuse extends Error {}

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
  const client = dynamodbClient(endpoint, { replyTimeoutInMs: patienceInMs });
  try {
    await refuseUnreachable(client, endpoint, make ? tableName : undefined);
    const dynamodb = documentClient(client);
    const now = new Date();
    return await use({ dynamodb, tableName, table: new Table(dynamodb, tableName, now), now });
  } catch (error) {
    throw toldBetter(error, tableName);
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

function toldBetter(error: unknown, tableName: string): unknown {
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

/** The command line is one that `parseArgs` does not take. */
function isOfParseArgs(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

/** Runs a command to its end: what it returns goes to standard output, what is wrong to standard error. */
export async function main(usage: string, run: (args: string[]) => Promise<string>): Promise<void> {
  const help = `${usage}${tableHelp}`;
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(help);
    return;
  }
  try {
    process.stdout.write(await run(args));
  } catch (error) {
    const misused = error instanceof Misuse || isOfParseArgs(error);
    const told = misused
      ? [error.message, help].filter(Boolean).join('\n\n')
      : error instanceof Complaint
        ? `${error.text}\n`
        : `${error instanceof Error ? (error.stack ?? error.message) : error}\n`;
    process.stderr.write(told);
    process.exitCode = misused ? exitCodes.misused : exitCodes.refused;
  }
}

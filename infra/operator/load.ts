import { type DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { dynamodbClient } from '../../lib/composition.ts';
import { documentClient } from '../../lib/dynamodb.ts';
import { loadProjectFile } from '../../lib/project-file/load.ts';
import { createTable, defaultTableName } from '../local/create-table.ts';
import { Complaint, endpointUrl, readSettings, tableName as tableNameSetting, toldOfFile } from './settings.ts';

const usage = `Loads a project file into a table; loading it again changes only what the file changes.

  npm run load -- FILE

  TABLE_NAME         the table on AWS, as \`npm run deploy\` prints it; AWS_REGION and credentials as for any AWS tool
  DYNAMODB_ENDPOINT  a local engine instead; the table (default "${defaultTableName}") is made there if it is missing
`;

const environment = v.object({ TABLE_NAME: v.optional(tableNameSetting), DYNAMODB_ENDPOINT: v.optional(endpointUrl) });

async function load(path: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME } = readSettings(environment, env);
  const tableName = TABLE_NAME ?? (endpoint === undefined ? undefined : defaultTableName);
  if (tableName === undefined) throw new Complaint(`TABLE_NAME or DYNAMODB_ENDPOINT must say which table.\n\n${usage}`);

  const client = dynamodbClient(endpoint);
  const onProgress = (written: number, entries: number) =>
    process.stderr.write(`${written.toLocaleString('en')} of ${entries.toLocaleString('en')} entries\n`);
  try {
    await refuseUnreachable(client, endpoint, tableName);
    const target = { dynamodb: documentClient(client), tableName, now: new Date(), onProgress };
    const { project, counts } = await loadProjectFile(path, target);
    const lists = Object.entries(counts).map(([list, entries]) => `${entries.toLocaleString('en')} ${list}`);
    return `${project.name} (${project.id}) is in ${tableName}: ${lists.join(', ') || 'no entries'}\n`;
  } catch (error) {
    throw toldBetter(error, path, tableName);
  } finally {
    client.destroy();
  }
}

/** Before the file is read: a local engine that does not answer, or nothing that says which region of AWS. */
async function refuseUnreachable(client: DynamoDBClient, endpoint: string | undefined, table: string): Promise<void> {
  if (endpoint === undefined) {
    await client.config.region().catch((error: unknown) => {
      throw new Complaint(`AWS_REGION must name the region of the table (${whyOf(error)})`);
    });
    return;
  }
  await createTable(client, table).catch((error: unknown) => {
    throw new Complaint(`no DynamoDB answers at DYNAMODB_ENDPOINT, ${endpoint} (${whyOf(error)})`);
  });
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

function toldBetter(error: unknown, path: string, tableName: string): unknown {
  if (error instanceof ResourceNotFoundException) {
    return new Complaint(`TABLE_NAME: there is no table ${tableName} in this region`);
  }
  if (error instanceof Error && error.name === 'CredentialsProviderError') {
    return new Complaint(`AWS credentials: ${error.message}`);
  }
  return toldOfFile(error, path);
}

const [path, ...rest] = process.argv.slice(2);
if (path === '--help') {
  process.stdout.write(usage);
} else if (path === undefined || rest.length > 0) {
  process.stderr.write(usage);
  process.exitCode = 1;
} else {
  try {
    process.stdout.write(await load(path, process.env));
  } catch (error) {
    const message =
      error instanceof Complaint ? error.text : error instanceof Error ? (error.stack ?? error.message) : error;
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  }
}

import { once } from 'node:events';
import { createServer } from 'node:net';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { compose, type Dependencies, dynamodbClient } from '../../lib/composition.ts';
import { documentClient } from '../../lib/dynamodb.ts';
import { RateLimiter, ratePerMinute } from '../../lib/http/rate-limit.ts';
import { settleDue } from '../../lib/loyalty/due.ts';
import { processRecords } from '../../lib/outbox/worker.ts';
import { type LoadReport, loadProjectFile } from '../../lib/project-file/load.ts';
import {
  Complaint,
  endpointUrl,
  readSettings,
  tableName as tableNameSetting,
  toldOfFile,
} from '../operator/settings.ts';
import { allContainersAtOnce } from './all-containers.ts';
import { createTable, defaultTableName } from './create-table.ts';
import { type Engine, startEngine } from './engine.ts';
import { EngineError } from './engine-program.ts';
import { type Hourly, hourly } from './hourly.ts';
import { logMail } from './log-mail.ts';
import { type RunningServer, startServer } from './server.ts';
import { type StreamPoller, startStreamPoller } from './stream-poller.ts';

const host = '127.0.0.1';

const environment = v.object({
  PORT: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,5}$/, 'must be a port, 0 to 65535'),
      v.transform(Number),
      v.maxValue(65_535, 'must be a port, 0 to 65535'),
    ),
    '3000',
  ),
  PROJECT_FILE: v.optional(v.string(), fileURLToPath(new URL('demo-project.json', import.meta.url))),
  DATA_DIR: v.optional(v.string()),
  DYNAMODB_ENDPOINT: v.optional(endpointUrl),
  DYNAMODB_ENGINE: v.optional(v.string()),
  TABLE_NAME: v.optional(tableNameSetting, defaultTableName),
  // One process stands for all containers of all functions, each of which counts by itself when deployed.
  RATE_LIMIT_PER_MINUTE: v.optional(ratePerMinute, '60000'),
  MANAGEMENT_GUARD: v.optional(v.picklist(['open', 'keys']), 'open'),
});

type Settings = v.InferOutput<typeof environment>;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Before the work of loading, not after it. */
async function refuseBusyPort(port: number): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening').catch((error: unknown) => {
    throw portError(port, error);
  });
  probe.close();
  await once(probe, 'close');
}

function portError(port: number, error: unknown): Complaint {
  return codeOf(error) === 'EADDRINUSE'
    ? new Complaint(`Port ${port} is in use; PORT names another.`)
    : new Complaint(`Port ${port} cannot be used (${codeOf(error)}); PORT names another.`);
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function curlLine(baseUrl: string, { appKey, voucherCode }: LoadReport): string | undefined {
  if (!appKey || voucherCode === undefined) return undefined;
  const url = `${baseUrl}/v1/vouchers/${encodeURIComponent(voucherCode.toWellFormed())}`;
  const headers = [`X-App-Id: ${appKey.app_id}`, `X-App-Token: ${appKey.app_token}`];
  return ['curl', ...headers.map((header) => `-H ${shellQuoted(header)}`), shellQuoted(url)].join(' ');
}

function greeting(baseUrl: string, engine: Engine, { PROJECT_FILE }: Settings, report: LoadReport): string {
  const { project, appKey, counts } = report;
  const loaded = ['campaigns', 'vouchers', 'customers'].map((list) => `${counts[list] ?? 0} ${list}`).join(', ');
  const curl = curlLine(baseUrl, report);
  return [
    `Tessera serves ${project.name} (${project.id})`,
    `  address  ${baseUrl}`,
    `  engine   ${engine.name} at ${engine.endpoint}: ${engine.why}`,
    `  data     ${engine.data}`,
    `  project  ${loaded} from ${relative(process.cwd(), PROJECT_FILE)}`,
    `  app id   ${appKey?.app_id ?? 'none: the project file has no active app key with its token'}`,
    ...(appKey ? [`  token    ${appKey.app_token}`] : []),
    ...(curl ? ['Try it:', `  ${curl}`] : []),
    'Ctrl-C ends it.',
    '',
  ].join('\n');
}

let engine: Engine | undefined;
let server: RunningServer | undefined;
let poller: StreamPoller | undefined;
let dueWorker: Hourly | undefined;

/** What fails is in the log, each item of its own; an engine that is away is told of here. */
async function settleWhatIsDue(dependencies: Dependencies, isTimeUp: () => boolean): Promise<void> {
  try {
    await settleDue(dependencies, isTimeUp);
  } catch (error) {
    const { clock, log } = dependencies;
    const cause = error instanceof Error ? { cause: error.name, cause_message: error.message } : {};
    log(JSON.stringify({ level: 'error', time: clock().toISOString(), job: 'settle-due', ...cause }));
  }
}

async function start(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(environment, env);
  const { PORT: port, PROJECT_FILE, DATA_DIR: dataDir, TABLE_NAME, DYNAMODB_ENDPOINT, DYNAMODB_ENGINE } = settings;
  await refuseBusyPort(port);
  engine = await startEngine({
    prefer: 'dynoxide',
    env: { ...env, DYNAMODB_ENDPOINT, DYNAMODB_ENGINE },
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  const client = dynamodbClient(engine.endpoint, allContainersAtOnce);
  await createTable(client, TABLE_NAME);
  const dependencies = {
    ...compose({ TABLE_NAME, DYNAMODB_ENDPOINT: engine.endpoint }),
    dynamodb: documentClient(client),
    rateLimiter: new RateLimiter(settings.RATE_LIMIT_PER_MINUTE),
    managementGuard: settings.MANAGEMENT_GUARD,
  };
  const { dynamodb, tableName, clock } = dependencies;
  const report = await loadProjectFile(PROJECT_FILE, {
    dynamodb,
    tableName,
    now: clock(),
    // A kept DATA_DIR has what the API has changed since.
    unlessLoaded: true,
    onProgress: (written, entries) => process.stdout.write(`loading: ${written} items of ${entries} entries\n`),
  }).catch((error: unknown) => {
    throw toldOfFile(error, PROJECT_FILE);
  });
  server = await startServer({ dependencies, port, host }).catch((error: unknown) => {
    throw error instanceof Error && 'syscall' in error ? portError(port, error) : error;
  });
  poller = await startStreamPoller({
    dependencies,
    process: (records) => processRecords(records, { ...dependencies, sendMail: logMail(dependencies) }),
  });
  dueWorker = hourly((isTimeUp) => settleWhatIsDue(dependencies, isTimeUp));
  process.stdout.write(greeting(server.baseUrl, engine, settings, report));
}

function complaintOf(error: unknown): string {
  if (error instanceof Complaint) return error.text;
  if (error instanceof EngineError) return error.message;
  return `Tessera cannot start: ${error instanceof Error ? `${error.name}: ${error.message}` : error}`;
}

let ending = false;

async function end(): Promise<void> {
  // Whoever asks twice does not want to wait; the engine ends with this process.
  if (ending) process.exit(0);
  ending = true;
  await Promise.all([server?.close(), poller?.stop(), dueWorker?.stop()]);
  await engine?.stop();
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);

try {
  await start(process.env);
} catch (error) {
  if (!ending) {
    process.stderr.write(`${complaintOf(error)}\n`);
    await engine?.stop();
    process.exit(1);
  }
}

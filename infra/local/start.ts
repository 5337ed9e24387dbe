import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { defined } from '#kernel/core/defined.ts';
import { within } from '#kernel/core/within.ts';
import { compose, createDynamodbClient } from '#kernel/http/composition.ts';
import { RateLimiter, ratePerMinute } from '#kernel/http/rate-limit.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { Complaint, runCommand } from '../command-line.ts';
import { endpointUrl, readSettings, tableName as tableNameSetting, toComplaint } from '../environment.ts';
import { leftOutNames } from '../left-out-names.ts';
import { allContainersAtOnce } from './all-containers.ts';
import { createTable, defaultTableName } from './create-table.ts';
import { holdDataDir } from './data-dir.ts';
import { type Engine, startEngine } from './engine.ts';
import { EngineError } from './engine-program.ts';
import type { KeptFacts } from './facts/keep-facts.ts';
import { openFacts, removingFacts } from './facts/open-facts.ts';
import type { Jobs } from './jobs.ts';
import { watchLauncher } from './launcher.ts';
import { logMail } from './log-mail.ts';
import { isOpenToOthers } from './loopback.ts';
import { logTo } from './readable-log.ts';
import { RequestsFirst } from './requests-first.ts';
import type { RunningServer } from './server.ts';
import { ValidationCounts } from './validation-counts.ts';
import { writeGreeting } from './welcome.ts';

const usage = `Serves the whole API with a project on this machine, until Ctrl-C.

  npm start
`;

const environmentNotes = `The environment has further settings:
  PORT                   the port, 3000 by default.
  HOST                   the address, 127.0.0.1 by default, or 0.0.0.0 for containers and other machines.
  ALLOWED_HOSTS          further host names of the server, such as tessera,host.docker.internal.
  PROJECT_FILE           the file of the project to serve, the demo by default.
  DEMO_LIFE              off leaves out the demo's redemptions of the last three months, which follow the start.
  DATA_DIR               a folder that keeps the data. They are deleted at the end by default.
  DYNAMODB_ENDPOINT      the address of a running DynamoDB engine.
  DYNAMODB_ENGINE        dynamodb-local or dynoxide, instead of the first that can run.
  TABLE_NAME             the name of the table, ${defaultTableName} by default.
  LEFT_OUT               add-ons to leave out, such as webhooks,reports, as a deployed stage may.
  MANAGEMENT_GUARD       keys if the management paths ask for a management key, open by default.
  RATE_LIMIT_PER_MINUTE  calls of one app key in a minute, 60000 by default.
`;

const allowedHosts = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).flatMap((name) => (name === '' ? [] : [name.toLowerCase()]))),
  v.everyItem(
    (name) => /^[a-z\d]([\w.-]{0,251}[a-z\d])?$/.test(name),
    'must be host names without ports, separated by commas',
  ),
);

const demoFile = fileURLToPath(new URL('demo-project.json', import.meta.url));

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
  HOST: v.optional(v.pipe(v.string(), v.ip('must be an IP address, such as 127.0.0.1 or 0.0.0.0')), '127.0.0.1'),
  ALLOWED_HOSTS: v.optional(allowedHosts, ''),
  PROJECT_FILE: v.optional(v.string(), demoFile),
  DATA_DIR: v.optional(v.string()),
  DYNAMODB_ENDPOINT: v.optional(endpointUrl),
  DYNAMODB_ENGINE: v.optional(v.string()),
  TABLE_NAME: v.optional(tableNameSetting, defaultTableName),
  // A single process replaces all containers of all functions. In a deployment each container counts alone.
  RATE_LIMIT_PER_MINUTE: v.optional(ratePerMinute, '60000'),
  LEFT_OUT: v.optional(leftOutNames, []),
  DEMO_LIFE: v.optional(v.picklist(['on', 'off']), 'on'),
  MANAGEMENT_GUARD: v.optional(v.picklist(['open', 'keys']), 'open'),
});

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Refuses a busy port before the long load. */
async function refuseBusyPort(host: string, port: number): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening').catch((error: unknown) => {
    throw listenError(host, port, error);
  });
  probe.close();
  await once(probe, 'close');
}

function listenError(host: string, port: number, error: unknown): Complaint {
  if (codeOf(error) === 'EADDRNOTAVAIL')
    return new Complaint(`This machine has no address ${host}: name another with HOST.`);
  return codeOf(error) === 'EADDRINUSE'
    ? new Complaint(`Port ${port} is in use: name another with PORT.`)
    : new Complaint(`Port ${port} cannot be used (${codeOf(error)}): name another with PORT.`);
}

/** Warns the operator who opens the server to other machines. */
function openNote(guard: 'open' | 'keys'): string {
  const management = guard === 'open' ? 'management paths are open to this machine only, and ask others for a key' : '';
  return ['other machines and containers reach this server', management].filter(Boolean).join('; ');
}

let engine: Engine | undefined;
let server: RunningServer | undefined;
let jobs: Jobs | undefined;
let facts: KeptFacts | undefined;

async function start(env: NodeJS.ProcessEnv): Promise<string> {
  const settings = readSettings(environment, env);
  const { PORT: port, PROJECT_FILE, DATA_DIR: dataDir, TABLE_NAME, DYNAMODB_ENDPOINT, DYNAMODB_ENGINE } = settings;
  const { HOST: host, ALLOWED_HOSTS: allowedHosts, LEFT_OUT: leftOut } = settings;
  await refuseBusyPort(host, port);
  // The lock is held until the process ends.
  if (dataDir !== undefined) await holdDataDir(dataDir);
  engine = await startEngine({
    prefer: 'dynoxide',
    env: { ...env, DYNAMODB_ENDPOINT, DYNAMODB_ENGINE },
    ...defined({ dataDir }),
  });
  engine.died?.then(endWithoutEngine);
  const client = createDynamodbClient(engine.endpoint, allContainersAtOnce);
  await createTable(client, TABLE_NAME);
  const counts = new ValidationCounts(logTo(process.stdout));
  const own = {
    ...compose({ TABLE_NAME, DYNAMODB_ENDPOINT: engine.endpoint }),
    dynamodb: createDocumentClient(client),
    log: counts.log,
    rateLimiter: new RateLimiter(settings.RATE_LIMIT_PER_MINUTE),
    managementGuard: settings.MANAGEMENT_GUARD,
    eventTargets: undefined,
  };
  const { dynamodb, tableName, clock } = own;
  const { loadProjectFile } = await import('#addons/admin/project-file/load.ts');
  const report = await loadProjectFile(PROJECT_FILE, {
    dynamodb,
    tableName,
    now: clock(),
    // A kept DATA_DIR holds later changes of the API.
    unlessLoaded: true,
    onProgress: (written, entries) => process.stdout.write(`loading: ${written} items of ${entries} entries\n`),
  }).catch((error: unknown) => {
    throw toComplaint(error, PROJECT_FILE);
  });
  // The code of the whole service loads late, because a refused start should not wait for it.
  const { startQueueService } = await import('./queue-service.ts');
  const { startServer } = await import('./server.ts');
  const { startJobs } = await import('./jobs.ts');
  const { liveThroughDemo } = await import('./demo-life.ts');
  const started = await startQueueService(dataDir, (line) => process.stderr.write(`${line}\n`));
  if (dataDir !== undefined) facts = await openFacts(own, dataDir);
  if (facts) counts.keepRefusals(facts.keep);
  const service = { ...started, files: removingFacts(started.files, facts) };
  const requestsFirst = new RequestsFirst();
  const gentle = createDocumentClient(
    requestsFirst.putBehind(createDynamodbClient(engine.endpoint, allContainersAtOnce)),
  );
  const dependencies = { ...own, files: service.files, ...defined({ reports: facts?.reports }) };
  const note = isOpenToOthers(host) ? openNote(settings.MANAGEMENT_GUARD) : undefined;
  const welcome = { engine, queues: service.endpoint, projectFile: PROJECT_FILE, report, ...defined({ note }) };
  const { appKey: demoKey } = report;
  const serving = { dependencies, port, host, allowedHosts, requestsFirst, demoKey, leftOut };
  server = await startServer(serving).catch((error: unknown) => {
    throw error instanceof Error && 'syscall' in error ? listenError(host, port, error) : error;
  });
  jobs = await startJobs(dependencies, logMail(dependencies), service, counts, server.baseUrl, gentle, leftOut);
  const isDemo = PROJECT_FILE === demoFile && report.isNew && settings.DEMO_LIFE === 'on';
  if (isDemo && report.appKey) {
    // It continues after the greeting. An end of the server interrupts it.
    liveThroughDemo(dependencies, report.appKey, () => !ending).catch(() => {});
  }
  return writeGreeting({ ...welcome, baseUrl: server.baseUrl });
}

function complaintOf(error: unknown): Complaint {
  if (error instanceof Complaint) return error;
  if (error instanceof EngineError) return new Complaint(error.message);
  return new Complaint(`Tessera cannot start: ${error instanceof Error ? `${error.name}: ${error.message}` : error}`);
}

let ending = false;

/** Without this, every request would get a 500 permanently. */
function endWithoutEngine(): void {
  if (ending) return;
  process.stderr.write('The DynamoDB engine has ended, and the server cannot work without it.\n');
  process.exit(1);
}

/** A receiver or caller that hangs must not keep the process. Interrupted work is repeated, as after a crash. */
const stopInMs = 5_000;

async function end(): Promise<void> {
  // A second signal means that the operator does not want to wait. The engine ends with this process.
  if (ending) process.exit(0);
  ending = true;
  const stopped = Promise.all([server?.close(), jobs?.stop(), facts?.stop()]);
  await within(stopInMs, stopped, 'the server did not stop in time').catch(() => {});
  await engine?.stop();
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
// Output may have no reader any more.
process.stdout.on('error', () => {});
await watchLauncher(process.env, end);

await runCommand({ usage, options: {}, notes: environmentNotes }, () =>
  start(process.env).catch(async (error: unknown) => {
    // Errors during the end are ignored.
    if (ending) return undefined;
    await engine?.stop();
    throw complaintOf(error);
  }),
);
// Ends everything that would keep the process alive.
if (process.exitCode !== undefined) process.exit();

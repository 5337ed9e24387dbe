import { createHash, randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, inject, onTestFinished } from 'vitest';
import { type FilePlace, type Files, fileChanged } from '#kernel/core/files/files.ts';
import type { ReportEngine } from '#kernel/core/reports.ts';
import { createDynamodbClient, type ManagementGuard } from '#kernel/http/composition.ts';
import { CredentialCache } from '#kernel/http/credential-cache.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { InsertFlow } from '#kernel/kit/jobs/insert-flow.ts';
import type { Message, QueueName } from '#kernel/kit/jobs/queues.ts';
import type { JobDependencies } from '#kernel/kit/jobs/run.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { createTable } from '../../infra/local/create-table.ts';
import { EngineTransport } from './engine-transport.ts';

/** A busy machine is slow at times, and no test checks for that. */
export const patience = { connectionTimeoutInMs: 30_000, replyTimeoutInMs: 30_000 };

/** Local engines read nothing else of a signature. */
const seeming = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260101T000000Z',
};

/**
 * No local engine reads these headers. Signing uses a tenth of a call's processor time, and naming the client uses
 * another tenth.
 */
const unread = ['httpSigningMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/**
 * Opens a client for the tables of the tests' shared engine. Commands, servers and bundles run in separate processes
 * and send everything.
 */
export function engineClient() {
  const client = createDynamodbClient(inject('endpoint'), patience);
  client.config.requestHandler = new EngineTransport(patience.replyTimeoutInMs);
  for (const name of unread) client.middlewareStack.remove(name);
  client.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, seeming);
      return next(args);
    },
    { step: 'finalizeRequest', name: 'unsigned' },
  );
  return client;
}

/** Opens the connections of one container. A test of several competing containers gives each its own. */
export function newClient() {
  return createDocumentClient(engineClient());
}

let shared: ReturnType<typeof newClient> | undefined;
/**
 * Opens the shared client at its first use, because programs outside of the test runner import builders of the same
 * module.
 */
function sharedClient() {
  shared ??= newClient();
  return shared;
}

/** The time at which tests happen unless they name another time. */
export const testTime = new Date('2026-06-15T12:00:00.000Z');

/** Makes a clock that changes only when a test sets it. */
export function standingClock(start: Date = testTime) {
  let now = start;
  const clock = () => now;
  return Object.assign(clock, {
    set: (time: Date | string) => {
      now = new Date(time);
    },
    advance: (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1000);
    },
  });
}

/** Makes queues that keep their messages. A test reads or delivers them. */
export function keptQueues() {
  const messages: (Message & { queue: QueueName })[] = [];
  const send = async (queue: QueueName, some: readonly Message[]) => {
    messages.push(...some.map((message) => ({ queue, ...message })));
  };
  return { messages, send };
}

let tableOfFile: string | undefined;

/**
 * Returns the table that the tests of one file share. Each test has its own project, so a scan reads only what this
 * file wrote.
 */
export function fileTable(): string {
  if (!tableOfFile) throw new Error('test/support/file-table.ts has not run');
  return tableOfFile;
}

/** Runs before each file. A worker keeps modules, so each file needs a new name. */
export async function makeFileTable(): Promise<void> {
  tableOfFile = await ownTable(afterAll);
}

/** The files of all containers of this process. */
const kept = new Map<string, Buffer>();
const nameOf = ({ area, projectId, place }: FilePlace) => `${area}/${projectId}/${place}`;
const contentOf = (file: FilePlace) => {
  const content = kept.get(nameOf(file));
  if (content === undefined) throw new Error(`there is no file ${file.place}`);
  return content;
};
/** Returns the files of a project by name. */
export function filesOf(projectId: string): ReadonlyMap<string, Buffer> {
  return new Map([...kept].filter(([name]) => name.split('/')[1] === projectId));
}

const versionOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const pieceBytes = 1_001;
const files: Files = {
  put: async ({ content, ...file }) => {
    kept.set(nameOf(file), Buffer.from(content));
  },
  read: async (file) => contentOf(file).toString(),
  join: async (file, parts) => {
    kept.set(nameOf(file), Buffer.concat(parts.map(contentOf)));
  },
  remove: async (file) => {
    kept.delete(nameOf(file));
  },
  removeAll: async (projectId) => {
    for (const name of filesOf(projectId).keys()) kept.delete(name);
  },
  link: async (file) => `https://files.example/${nameOf(file)}`,
  address: async (file) => `https://files.example/${nameOf(file)}`,
  state: async (file) => {
    const content = kept.get(nameOf(file));
    return content && { bytes: content.length, version: versionOf(content) };
  },
  pieces: async function* (file, from, version) {
    if (version !== undefined && version !== versionOf(contentOf(file))) throw fileChanged();
    const bytes = contentOf(file).subarray(from);
    // Pieces of this size cut letters and lines in two.
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  },
};

/** An engine without facts, for tests that are not about reports. */
const withoutFacts: ReportEngine = {
  query: async () => [],
  queryWithFile: async () => ({ rows: [], parquet: new Uint8Array() }),
};

/**
 * Forty simultaneous callers on a busy machine need more time than a request may use. A test of lost patience has its
 * own.
 */
export const patienceOfCrowd = { patienceInMs: 120_000 };

const credentials = new Map<string, CredentialCache>();

/** Returns the credentials that containers share with the client of their table. Otherwise a fifth of all reads would be keys. */
function credentialsOf(tableName: string): CredentialCache {
  const known = credentials.get(tableName) ?? new CredentialCache();
  credentials.set(tableName, known);
  return known;
}

/** Makes one container with caches, the file's table, the engine, and kept log lines and messages. */
export function testDependencies(overrides: Partial<Omit<JobDependencies, 'queues' | 'files'>> = {}) {
  const lines: string[] = [];
  return {
    dynamodb: overrides.dynamodb ?? sharedClient(),
    tableName: fileTable(),
    clock: standingClock(),
    log: (line: string) => lines.push(line),
    // A test's own client counts or breaks calls, which must be the same at each run.
    credentialCache: overrides.dynamodb ? new CredentialCache() : credentialsOf(overrides.tableName ?? fileTable()),
    // Few tests are about the limit of calls from web pages, so all others have none.
    rateLimiter: new RateLimiter(undefined, Number.POSITIVE_INFINITY),
    managementGuard: 'open' as ManagementGuard,
    queues: keptQueues(),
    flow: new InsertFlow(),
    files,
    reports: withoutFacts,
    ...patienceOfCrowd,
    lines,
    ...overrides,
  };
}

/** Makes a container that has not yet read a key, token or project. */
export function coldDependencies(overrides: Parameters<typeof testDependencies>[0] = {}) {
  return testDependencies({ credentialCache: new CredentialCache(), ...overrides });
}

/**
 * Makes a table for a test that fills it, and deletes it afterwards. Its writes slow no other test. It has no stream:
 * the engines keep stream records after a table's deletion, and DynamoDB Local searches all of them at each write.
 */
export async function ownTable(atEnd: (cleanUp: () => Promise<void>) => void = onTestFinished): Promise<string> {
  const tableName = `tessera-test-${randomUUID()}`;
  const engine = engineClient();
  await createTable(engine, tableName, { withStream: false });
  atEnd(async () => {
    await engine.send(new DeleteTableCommand({ TableName: tableName }));
    engine.destroy();
  });
  return tableName;
}

export function uniqueId(prefix: string): string {
  return `${prefix}${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

import { createHash, randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, inject, onTestFinished } from 'vitest';
import { createTable } from '../../infra/local/create-table.ts';
import { type FilePlace, type Files, fileChanged } from '../../lib/core/files/files.ts';
import { dynamodbClient, type ManagementGuard } from '../../lib/http/composition.ts';
import { CredentialCache } from '../../lib/http/credential-cache.ts';
import { RateLimiter } from '../../lib/http/rate-limit.ts';
import { Flow } from '../../lib/kit/jobs/flow.ts';
import type { Message, QueueName } from '../../lib/kit/jobs/queues.ts';
import type { JobDependencies } from '../../lib/kit/jobs/run.ts';
import { documentClient } from '../../lib/table/connection.ts';
import { EngineTransport } from './engine-transport.ts';

/** A machine that runs much else besides is slow now and then; no test is about that. */
export const patience = { connectionTimeoutInMs: 30_000, replyTimeoutInMs: 30_000 };

/** All that local engines read of a signature. */
const seeming = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260101T000000Z',
};

/** What the SDK adds to each request that no local engine looks at: a tenth of what a call takes the processor is to sign it, another to name the client. */
const unread = ['httpSigningMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/** Of the engine that the tests share, for its tables. Commands, servers and bundles, in processes of their own, send all that is sent to AWS. */
export function engineClient() {
  const client = dynamodbClient(inject('endpoint'), patience);
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

/** The connections of one container; where a test plays many at once, those that it plays against each other have their own. */
export function newClient() {
  return documentClient(engineClient());
}

const client = newClient();

/** The time at which tests happen unless they say otherwise. */
export const testTime = new Date('2026-06-15T12:00:00.000Z');

/** A clock that stands still until it is set. */
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

/** Queues that keep what they are given, for the test to look at or to deliver. */
export function keptQueues() {
  const messages: (Message & { queue: QueueName })[] = [];
  const send = async (queue: QueueName, some: readonly Message[]) => {
    messages.push(...some.map((message) => ({ queue, ...message })));
  };
  return { messages, send };
}

let tableOfFile: string | undefined;

/** The table that the tests of one file share, each in a project of its own: a scan of it reads what this file wrote, not what all did. */
export function fileTable(): string {
  if (!tableOfFile) throw new Error('test/support/file-table.ts has not run');
  return tableOfFile;
}

/** Called before each file; a worker keeps modules, so that the name is set anew. */
export async function makeFileTable(): Promise<void> {
  tableOfFile = await ownTable(afterAll);
}

/** Files of all containers of this process. */
const kept = new Map<string, Buffer>();
const nameOf = ({ area, projectId, place }: FilePlace) => `${area}/${projectId}/${place}`;
const contentOf = (file: FilePlace) => {
  const content = kept.get(nameOf(file));
  if (content === undefined) throw new Error(`there is no file ${file.place}`);
  return content;
};
/** The files of a project, by their names. */
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
  link: async (file) => `https://files.example/${nameOf(file)}`,
  address: async (file) => `https://files.example/${nameOf(file)}`,
  state: async (file) => {
    const content = kept.get(nameOf(file));
    return content && { bytes: content.length, version: versionOf(content) };
  },
  pieces: async function* (file, from, version) {
    if (version !== undefined && version !== versionOf(contentOf(file))) throw fileChanged();
    const bytes = contentOf(file).subarray(from);
    // Of a size that cuts letters and lines in two.
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  },
};

const credentials = new Map<string, CredentialCache>();

/** Of containers of a table that share the client, too: to read the key of each test anew in each container is a fifth of all that tests read. */
function credentialsOf(tableName: string): CredentialCache {
  const known = credentials.get(tableName) ?? new CredentialCache();
  credentials.set(tableName, known);
  return known;
}

/** One container: its own caches, the engine and the file's table, lines of the log and messages kept. */
export function testDependencies(overrides: Partial<Omit<JobDependencies, 'queues' | 'files'>> = {}) {
  const lines: string[] = [];
  return {
    dynamodb: client,
    tableName: fileTable(),
    clock: standingClock(),
    log: (line: string) => lines.push(line),
    // What a client of the test's own counts or breaks is to be the same at each run.
    credentialCache: overrides.dynamodb ? new CredentialCache() : credentialsOf(overrides.tableName ?? fileTable()),
    // No test is about the few calls of a page but those that say so.
    rateLimiter: new RateLimiter(undefined, Number.POSITIVE_INFINITY),
    managementGuard: 'open' as ManagementGuard,
    queues: keptQueues(),
    flow: new Flow(),
    files,
    // Twenty at once on a slow machine take longer than a request has; what happens when patience ends is tested with less.
    patienceInMs: 60_000,
    lines,
    ...overrides,
  };
}

/** As a container starts that has read no key, token or project yet. */
export function coldDependencies(overrides: Parameters<typeof testDependencies>[0] = {}) {
  return testDependencies({ credentialCache: new CredentialCache(), ...overrides });
}

/**
 * A table for a test that fills one: what it writes slows no other test, and goes with it. It has no stream, whose records
 * the engines keep when the table is gone; DynamoDB Local looks through all of them at each write.
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

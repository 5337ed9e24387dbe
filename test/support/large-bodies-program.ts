import { readFile } from 'node:fs/promises';
import v8 from 'node:v8';
import type { Context } from 'aws-lambda';
import type { Files } from '#kernel/core/files/files.ts';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { CredentialCache } from '#kernel/http/credential-cache.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { findOperation, operations } from '../../infra/operations.ts';
import { apiEvent } from './api-event.ts';
import { type LargePlan, largeRequest } from './large-bodies.ts';

/**
 * Makes the calls of a plan in turn, in a process with the memory that its parent sets. Writes a JSON line before and after each call.
 * Without calls it reports the memory of the process alone.
 */

const megabyte = 2 ** 20;
const plan: LargePlan = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8'));

/** Stores no files, because their memory would count as the call's. */
const files: Files = {
  put: async () => {},
  read: async ({ place }) => {
    throw new Error(`there is no file ${place}`);
  },
  join: async () => {},
  remove: async () => {},
  removeAll: async () => {},
  link: async ({ place }) => `https://files.example/${place}`,
  address: async ({ place }) => `https://files.example/${place}`,
  state: async () => undefined,
  pieces: async function* () {},
};

const patience = { connectionTimeoutInMs: 30_000, replyTimeoutInMs: 30_000 };
let lastLine = '';
const dependencies = {
  dynamodb: createDocumentClient(createDynamodbClient(plan.endpoint, patience)),
  tableName: plan.tableName,
  clock: () => new Date(plan.now),
  log: (line: string) => {
    lastLine = line;
  },
  credentialCache: new CredentialCache(),
  rateLimiter: new RateLimiter(999_999_999, Number.POSITIVE_INFINITY),
  managementGuard: 'open' as const,
  files,
  patienceInMs: 60_000,
};
const handlers = new Map(operations.map(({ name, handler }) => [name, handler.with(dependencies)]));
const context = { getRemainingTimeInMillis: () => 600_000 } as Context;

const tell = (what: object) => process.stdout.write(`${JSON.stringify(what)}\n`);

for (const [index, one] of plan.cases.entries()) {
  tell({ begins: index });
  const event = apiEvent(findOperation(one.operation).route, largeRequest(one));
  const began = process.cpuUsage();
  const reply = await handlers.get(one.operation)?.(event, context);
  const { user, system } = process.cpuUsage(began);
  const { statusCode = 0, body = '' } = reply ?? {};
  // Lambda sends the body as a text inside JSON.
  const bytes = Buffer.byteLength(JSON.stringify(body));
  tell({ ended: index, status: statusCode, bytes, ms: (user + system) / 1000, log: statusCode >= 500 ? lastLine : '' });
}
globalThis.gc?.();
tell({ heap: v8.getHeapStatistics().used_heap_size / megabyte });
process.exit(0);

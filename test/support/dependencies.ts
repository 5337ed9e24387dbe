import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import { inject, onTestFinished } from 'vitest';
import { createTable } from '../../infra/local/create-table.ts';
import { type Dependencies, dynamodbClient, type ManagementGuard } from '../../lib/composition.ts';
import { documentClient } from '../../lib/dynamodb.ts';
import { CredentialCache } from '../../lib/http/credential-cache.ts';
import { RateLimiter } from '../../lib/http/rate-limit.ts';

/** A machine that runs much else besides is slow now and then; no test is about that. */
const patienceInMs = 30_000;

const client = documentClient(dynamodbClient(inject('endpoint'), { replyTimeoutInMs: patienceInMs }));

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

/** One container: its own caches, the shared engine and table, lines of the log kept. */
export function testDependencies(overrides: Partial<Dependencies> = {}) {
  const lines: string[] = [];
  return {
    dynamodb: client,
    tableName: inject('tableName'),
    clock: standingClock(),
    log: (line: string) => lines.push(line),
    credentialCache: new CredentialCache(),
    rateLimiter: new RateLimiter(),
    managementGuard: 'open' as ManagementGuard,
    lines,
    ...overrides,
  };
}

/**
 * A table for a test that fills one: what it writes slows no other test, and goes with it. It has no stream, whose records
 * the engines keep when the table is gone; DynamoDB Local looks through all of them at each write.
 */
export async function ownTable(atEnd: (cleanUp: () => Promise<void>) => void = onTestFinished): Promise<string> {
  const tableName = `tessera-test-${randomUUID()}`;
  const engine = dynamodbClient(inject('endpoint'));
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

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { operations } from '../../infra/operations.ts';
import { engineClient, uniqueId } from '../support/dependencies.ts';
import { isLong, sampled } from '../support/sampled.ts';
import { lambdaContext, recordingDependencies, turnsOf } from './compare.ts';
import { eventOf, subjectsOf, type World } from './subjects.ts';
import { newWorld } from './world.ts';

const client = engineClient();
const tableName = uniqueId('bench-');
let world: World;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-'));
  world = await newWorld(client, tableName, folder);
  await rm(folder, { recursive: true });
});

afterAll(() => client.destroy());

describe('the bench measures what it says, turn after turn:', () => {
  const rows = operations.flatMap((operation) =>
    subjectsOf(operation).map((subject) => ({
      operation,
      subject,
      name: [operation.name, subject.way ?? []].flat().join(', '),
    })),
  );

  test.each(sampled(rows, 30))('$name', async ({ operation, subject }) => {
    const call = operation.handler.with(recordingDependencies(tableName, createDocumentClient(client)));
    // A read uses nothing up, so that its later turns are like its first turns.
    const { warmUp, perRound, rounds } = turnsOf(operation, subject);
    const turns = isLong && operation.route.access === 'write' ? warmUp + perRound * rounds : 3;
    for (let turn = 0; turn < turns; turn++) {
      const { statusCode, body } = await call(eventOf(operation, subject, turn, world), lambdaContext);
      expect(statusCode, `turn ${turn}: ${body}`).toBe(subject.status ?? operation.route.reply.status);
    }
  });
});

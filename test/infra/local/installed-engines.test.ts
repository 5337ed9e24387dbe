import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, test } from 'vitest';
import { createDynamodbClient } from '#kernel/http/composition.ts';
import { createTable } from '../../../infra/local/create-table.ts';
import { type Engine, startEngine } from '../../../infra/local/engine.ts';
import { EngineError, type EngineKind } from '../../../infra/local/engine-program.ts';
import { patience } from '../../support/dependencies.ts';
import { isLong } from '../../support/sampled.ts';

/** Returns undefined if it does not run. */
function started(kind: EngineKind): Promise<Engine | undefined> {
  return startEngine({ prefer: kind, env: { ...process.env, DYNAMODB_ENDPOINT: '', DYNAMODB_ENGINE: kind } }).catch(
    (error: unknown) => {
      if (error instanceof EngineError) return undefined;
      throw error;
    },
  );
}

/** Its start takes seconds, so it is tested only in runs on it and in long runs. */
const itself = isLong || !inject('engineName').startsWith('dynoxide') ? (['dynamodb-local'] as const) : [];

test.each(itself)(
  '%s lets no page of another site read its answers, and names the holes that no option closes',
  async (kind) => {
    const engine = await started(kind);
    if (!engine) return;
    try {
      const reply = await fetch(engine.endpoint, {
        method: 'OPTIONS',
        headers: { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' },
      });
      expect([null, 'http://127.0.0.1']).toContain(reply.headers.get('access-control-allow-origin'));
      expect(engine.exposure).toMatch(/every address/);
    } finally {
      await engine.stop();
    }
  },
);

/** Only Linux has other loopback addresses, and the native engine runs there alone. */
test('the native engine listens on its own loopback address, where no page of a browser finds it', async () => {
  const one = await started('dynoxide');
  const other = await started('dynoxide');
  await Promise.all([one?.stop(), other?.stop()]);
  if (!one || !other) return;
  const hosts = [one, other].map(({ endpoint }) => new URL(endpoint).hostname);
  for (const host of hosts) expect(host).toMatch(/^127\.\d+\.\d+\.\d+$/);
  expect(hosts).not.toContain('127.0.0.1');
  expect(hosts[0]).not.toBe(hosts[1]);
  expect(one.exposure).toBeUndefined();
});

describe('the native engine, where it runs,', () => {
  test('finds the next stream records by an index, and keeps them for a day', async ({ skip }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tessera-'));
    const file = join(dataDir, 'dynoxide.db');
    const options = { prefer: 'dynoxide', env: { DYNAMODB_ENGINE: 'dynoxide' }, dataDir } as const;
    try {
      const engine = await startEngine(options).catch((error: unknown) => {
        if (error instanceof EngineError) return undefined;
        throw error;
      });
      if (!engine) return skip('it does not run on this machine');
      const client = createDynamodbClient(engine.endpoint, patience);
      await createTable(client, 'kept');
      for (const pk of ['old', 'new']) {
        await client.send(new PutItemCommand({ TableName: 'kept', Item: { pk: { S: pk }, sk: { S: 'VOUCHER' } } }));
      }
      client.destroy();
      await engine.stop();

      const before = new DatabaseSync(file);
      before.exec("UPDATE _stream_records SET created_at = created_at - 86401 WHERE keys_json LIKE '%old%'");
      before.close();
      await (await startEngine(options)).stop();

      const after = new DatabaseSync(file);
      const kept = after.prepare('SELECT keys_json FROM _stream_records').all();
      const plan = after
        .prepare(
          `EXPLAIN QUERY PLAN SELECT * FROM _stream_records
           WHERE table_name = 'kept' AND shard_id = 's' AND CAST(sequence_number AS INTEGER) > 1
           ORDER BY CAST(sequence_number AS INTEGER) LIMIT 1000`,
        )
        .all();
      after.close();
      expect(kept).toEqual([{ keys_json: expect.stringContaining('new') }]);
      expect(plan).toEqual([
        expect.objectContaining({ detail: expect.stringMatching(/USING INDEX .* AND <expr>>\?/) }),
      ]);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });
});

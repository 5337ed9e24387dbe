import { gzipSync } from 'node:zlib';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { buildApp } from 'fauxqs';
import { onTestFinished } from 'vitest';
import { createFactBucket, type FactBucket } from '#addons/reports/facts/fact-bucket.ts';
import { writeFactLine } from '#addons/reports/facts/fact-lines.ts';
import type { Fact } from '#addons/reports/facts/fact-tables.ts';
import { packFacts } from '#addons/reports/facts/pack/pack-facts.ts';
import { readParquet } from '#addons/reports/facts/parquet.ts';
import { createS3Client } from '#kernel/core/files/bucket.ts';
import { standingClock } from '../support/dependencies.ts';

/** Opens an empty bucket of a local S3. */
export async function openFactBucket(): Promise<FactBucket & { readonly endpoint: string }> {
  const app = buildApp({ logger: false });
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  const client = createS3Client(endpoint);
  await client.send(new CreateBucketCommand({ Bucket: 'facts' }));
  onTestFinished(async () => {
    client.destroy();
    app.server.closeAllConnections();
    await app.close();
  });
  return { ...createFactBucket(client, 'facts'), endpoint };
}

/** Opens a bucket with a packer, which a test may cut off at a call. */
export async function openPacker(deleted: readonly string[] = []) {
  const bucket = await openFactBucket();
  const clock = standingClock(new Date('2026-06-15T12:00:00.000Z'));
  let number = 0;
  return {
    bucket,
    endpoint: bucket.endpoint,
    clock,
    deliver: (facts: readonly Fact[], more = '') => {
      number += 1;
      const lines = gzipSync(facts.map(writeFactLine).join('') + more);
      return bucket.write(`fresh/2026/06/15/${String(number).padStart(4, '0')}.gz`, lines);
    },
    pack: (over: FactBucket = bucket, isTimeUp = () => false, mostBytes?: number) => {
      clock.advance(60);
      const findDeleted = async (ids: readonly string[]) => ids.filter((id) => deleted.includes(id));
      return packFacts({ bucket: over, clock, isTimeUp, findDeleted, mostBytes });
    },
    /** Returns the rows of all packed files by folder. */
    packed: async () => {
      const files = await bucket.list('packed/');
      const rows = await Promise.all(
        files.map(async ({ key }) => {
          const folder = key.slice('packed/'.length, key.lastIndexOf('/'));
          return (await readParquet((await bucket.read(key)) ?? new Uint8Array())).map((row) => ({ folder, row }));
        }),
      );
      return rows.flat();
    },
  };
}

/** Returns the same bucket, which fails after this number of calls. */
export function breaking(bucket: FactBucket, most: number): FactBucket {
  let calls = 0;
  const call = async <R>(work: () => Promise<R>): Promise<R> => {
    calls += 1;
    if (calls > most) throw new Error('killed');
    return work();
  };
  return {
    list: (prefix) => call(() => bucket.list(prefix)),
    listFolders: (prefix) => call(() => bucket.listFolders(prefix)),
    read: (key) => call(() => bucket.read(key)),
    write: (key, content) => call(() => bucket.write(key, content)),
    remove: (keys) => call(() => bucket.remove(keys)),
  };
}

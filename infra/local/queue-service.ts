import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { createBucketFiles, createS3Client } from '#kernel/core/files/bucket.ts';
import type { Files } from '#kernel/core/files/files.ts';
import type { QueueUrls, queueNames } from '#kernel/kit/jobs/queues.ts';
import { createSqsClient } from '#kernel/kit/jobs/sqs.ts';
import { openKeptFiles } from './local-files.ts';
import { takeUploads } from './upload-puts.ts';

const host = '127.0.0.1';
export const bucket = 'files';
export const deadLettersName = 'stream-dead-letters';
/** Sets the visibility of messages. A worker of this machine ends with the process, and so do its messages. */
const visibilityTimeoutInS = 120;

export interface QueueService {
  /** The address of SQS and S3. */
  endpoint: string;
  client: SQSClient;
  urls: QueueUrls;
  /** The queue of messages that their own queue refused. */
  deadLetters: string;
  files: Files;
  stop: () => Promise<void>;
}

/**
 * Runs SQS and S3 in this process, on loopback only, with the stack's queues and bucket. Their content ends with the
 * process, except files that a folder keeps. Open work is recorded in the table. `warn` is called for each kept file
 * that cannot be read.
 */
export async function startQueueService(
  dataDir?: string,
  warn: (line: string) => void = () => {},
  // Only this process knows the secret, so no other process can sign addresses of files.
  secretAccessKey: string = randomUUID(),
): Promise<QueueService> {
  const app = buildApp({ logger: false });
  const endpoint = await app.listen({ port: 0, host });
  const client = createSqsClient(endpoint);
  const signer = { accessKeyId: 'local', secretAccessKey };
  const s3 = createS3Client(endpoint, signer);
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const make = async (name: (typeof queueNames)[number] | typeof deadLettersName) => {
    const Attributes = { VisibilityTimeout: String(visibilityTimeoutInS) };
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: name, Attributes }));
    if (QueueUrl === undefined) throw new Error(`the queue ${name} was not created`);
    return QueueUrl;
  };
  const [generation, bulk, mail, segments, exports, events, webhooks] = await Promise.all([
    make('generation'),
    make('bulk'),
    make('mail'),
    make('segments'),
    make('exports'),
    make('events'),
    make('webhooks'),
  ]);
  const deadLetters = await make(deadLettersName);
  const inMemory = createBucketFiles(s3, bucket);
  const kept = dataDir === undefined ? undefined : await openKeptFiles(join(dataDir, 'files'), inMemory, warn);
  const keep = kept ? { keep: kept.keepPut } : {};
  takeUploads(app.server, { client: s3, bucket, files: inMemory, signer, clock: () => new Date(), ...keep });
  return {
    endpoint,
    client,
    deadLetters,
    files: kept ?? inMemory,
    urls: { generation, bulk, mail, segments, exports, events, webhooks },
    stop: async () => {
      client.destroy();
      s3.destroy();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

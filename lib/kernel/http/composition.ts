import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type CallTimes, callTimes, chooseEndpoint } from '#kernel/core/aws-client.ts';
import { readEnvironment } from '#kernel/core/environment.ts';
import type { Files } from '#kernel/core/files/files.ts';
import type { ReportEngine } from '#kernel/core/reports.ts';
import { createDocumentClient } from '#kernel/table/connection.ts';
import { addressHeader } from './client-address.ts';
import { CredentialCache } from './credential-cache.ts';
import { RateLimiter, ratePerMinute } from './rate-limit.ts';

export const deployedGuards = ['iam', 'keys'] as const;

/** Contains everything that a handler gets from outside its request. Tests pass their own. */
export interface Dependencies {
  dynamodb: DynamoDBDocumentClient;
  tableName: string;
  clock: () => Date;
  /** Writes one line of the log. */
  log: (line: string) => void;
  credentialCache: CredentialCache;
  /** Limits the time that a request retries conflicts. The default is 12 s, or less if the request has less time. */
  patienceInMs?: number;
  /** Limits the time that a request waits for a table without capacity. The default is half a second. */
  capacityPatienceInMs?: number;
  rateLimiter: RateLimiter;
  managementGuard: ManagementGuard;
  /** The header in which a CDN names the caller's address. Without one the connection names it. */
  addressHeader?: string | undefined;
  /** A secret that only calls through the distribution have. */
  distributionProof?: string | undefined;
  /** Names the stage in metrics by project. Without it log lines have no metrics. */
  metricsStage?: string | undefined;
  /** The queues and buses that webhooks may send to, such as `sqs:orders`. The local server has no list, and allows every target. */
  eventTargets?: readonly string[] | undefined;
  /** Replaces the bucket of the environment. */
  files?: Files;
  /** Answers reports. Only a server that keeps facts has an engine. */
  reports?: ReportEngine;
}

/**
 * Decides who may call the management paths: callers that IAM accepts (`iam`), holders of a management key (`keys`), or
 * anyone (`open`). Only the local server sets `open`, no environment can.
 */
export type ManagementGuard = (typeof deployedGuards)[number] | 'open';

const environment = v.object({
  TABLE_NAME: v.pipe(v.string(), v.minLength(3)),
  /** The address of a local engine. On AWS the region decides. */
  DYNAMODB_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
  RATE_LIMIT_PER_MINUTE: v.optional(ratePerMinute),
  CLIENT_ADDRESS_HEADER: v.optional(addressHeader),
  DISTRIBUTION_PROOF: v.optional(v.pipe(v.string(), v.minLength(16))),
  PROJECT_METRICS_STAGE: v.optional(v.pipe(v.string(), v.nonEmpty())),
  /** Lists targets with spaces between them. A deployment without the list allows no queue and no bus. */
  EVENT_TARGETS: v.optional(v.string(), ''),
  /** The default lets in only calls that IAM has checked. */
  MANAGEMENT_GUARD: v.optional(v.picklist(deployedGuards), 'iam'),
});

export interface ClientOptions extends Partial<CallTimes> {
  /** Limits simultaneous connections, each with one call. The SDK's own limit is 50. */
  maxConnections?: number;
}

/** Returns a client. The defaults suit a Lambda container, which serves one request at a time. */
export function createDynamodbClient(
  endpoint: string | undefined,
  { connectionTimeoutInMs = 1_000, replyTimeoutInMs = 3_000, maxConnections = 50 }: ClientOptions = {},
): DynamoDBClient {
  const agent = { keepAlive: true, maxSockets: maxConnections };
  const client = new DynamoDBClient({
    requestHandler: {
      ...callTimes({ connectionTimeoutInMs, replyTimeoutInMs }),
      // `requestTimeout` ends with the head of the reply. This timeout ends the wait for a body that stops halfway.
      socketTimeout: replyTimeoutInMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
    ...chooseEndpoint(endpoint),
  });
  // The SDK copies every input and output for an unused log, which costs 3 % of a busy server's time.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

/** Composes all dependencies of handlers from the environment, which is read once. */
export function compose(env: NodeJS.ProcessEnv): Dependencies {
  const settings = readEnvironment(environment, env);
  const { TABLE_NAME, DYNAMODB_ENDPOINT, RATE_LIMIT_PER_MINUTE, CLIENT_ADDRESS_HEADER, MANAGEMENT_GUARD } = settings;
  return {
    dynamodb: createDocumentClient(createDynamodbClient(DYNAMODB_ENDPOINT)),
    tableName: TABLE_NAME,
    clock: () => new Date(),
    log: (line) => process.stdout.write(`${line}\n`),
    credentialCache: new CredentialCache(),
    rateLimiter: new RateLimiter(RATE_LIMIT_PER_MINUTE),
    managementGuard: MANAGEMENT_GUARD,
    addressHeader: CLIENT_ADDRESS_HEADER,
    distributionProof: settings.DISTRIBUTION_PROOF,
    metricsStage: settings.PROJECT_METRICS_STAGE,
    eventTargets: settings.EVENT_TARGETS.split(' ').filter(Boolean),
  };
}

let ofProcess: Dependencies | undefined;

/** Composes once per process, which is one function's container. */
export function composeOnce(): Dependencies {
  ofProcess ??= compose(process.env);
  return ofProcess;
}

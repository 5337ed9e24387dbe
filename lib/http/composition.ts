import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type CallTimes, callTimes, serviceAt } from '../core/aws-client.ts';
import { readEnvironment } from '../core/environment.ts';
import type { Files } from '../core/files/files.ts';
import { documentClient } from '../table/connection.ts';
import { addressHeader } from './client-address.ts';
import { CredentialCache } from './credential-cache.ts';
import { RateLimiter, ratePerMinute } from './rate-limit.ts';

export const deployedGuards = ['iam', 'keys'] as const;

/** What a handler gets from outside of its request. The tests pass their own. */
export interface Dependencies {
  dynamodb: DynamoDBDocumentClient;
  tableName: string;
  clock: () => Date;
  /** Takes one line of the log. */
  log: (line: string) => void;
  credentialCache: CredentialCache;
  /** How long a request retries conflicts; by default as long as its time allows. */
  patienceInMs?: number;
  rateLimiter: RateLimiter;
  managementGuard: ManagementGuard;
  /** The header in which a CDN says who called. Without one, the connection says it. */
  addressHeader?: string | undefined;
  /** Comes with each call through the distribution, and with no other. */
  distributionProof?: string | undefined;
  /** Instead of the bucket of the environment. */
  files?: Files;
}

/**
 * Who may call the management paths. `iam`: whom the gateway let in by IAM. `keys`: who sends a management key. `open`:
 * anyone; only the local server sets it, no environment can.
 */
export type ManagementGuard = (typeof deployedGuards)[number] | 'open';

const environment = v.object({
  TABLE_NAME: v.pipe(v.string(), v.minLength(3)),
  /** Of a local engine; on AWS the region decides. */
  DYNAMODB_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
  RATE_LIMIT_PER_MINUTE: v.optional(ratePerMinute),
  CLIENT_ADDRESS_HEADER: v.optional(addressHeader),
  DISTRIBUTION_PROOF: v.optional(v.pipe(v.string(), v.minLength(16))),
  /** The default lets in only what IAM has. */
  MANAGEMENT_GUARD: v.optional(v.picklist(deployedGuards), 'iam'),
});

export interface ClientOptions extends Partial<CallTimes> {
  /** Connections at once, each with one call; the SDK's own limit is 50. */
  maxConnections?: number;
}

/** Defaults suit a Lambda container, which serves one request at a time. */
export function dynamodbClient(
  endpoint: string | undefined,
  { connectionTimeoutInMs = 1_000, replyTimeoutInMs = 3_000, maxConnections = 50 }: ClientOptions = {},
): DynamoDBClient {
  const agent = { keepAlive: true, maxSockets: maxConnections };
  const client = new DynamoDBClient({
    requestHandler: {
      ...callTimes({ connectionTimeoutInMs, replyTimeoutInMs }),
      // `requestTimeout` ends with the head of the reply; this one ends the wait for a body that stops halfway.
      socketTimeout: replyTimeoutInMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
    ...serviceAt(endpoint),
  });
  // It copies every input and output for a log that nobody reads: 3 % of a busy server's time.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

/** Composition in one place: the environment, read once, becomes what the handlers need. */
export function compose(env: NodeJS.ProcessEnv): Dependencies {
  const settings = readEnvironment(environment, env);
  const { TABLE_NAME, DYNAMODB_ENDPOINT, RATE_LIMIT_PER_MINUTE, CLIENT_ADDRESS_HEADER, MANAGEMENT_GUARD } = settings;
  return {
    dynamodb: documentClient(dynamodbClient(DYNAMODB_ENDPOINT)),
    tableName: TABLE_NAME,
    clock: () => new Date(),
    log: (line) => process.stdout.write(`${line}\n`),
    credentialCache: new CredentialCache(),
    rateLimiter: new RateLimiter(RATE_LIMIT_PER_MINUTE),
    managementGuard: MANAGEMENT_GUARD,
    addressHeader: CLIENT_ADDRESS_HEADER,
    distributionProof: settings.DISTRIBUTION_PROOF,
  };
}

let ofProcess: Dependencies | undefined;

/** Composes once in a process, which is one function's container. */
export function composed(): Dependencies {
  ofProcess ??= compose(process.env);
  return ofProcess;
}

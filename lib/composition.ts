import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { documentClient } from './dynamodb.ts';
import { CredentialCache } from './http/credential-cache.ts';
import { RateLimiter, ratePerMinute } from './http/rate-limit.ts';
import { describeIssues } from './schema.ts';

export const deployedGuards = ['iam', 'keys'] as const;

/** What a handler gets from outside of its request. The tests pass their own. */
export interface Dependencies {
  dynamodb: DynamoDBDocumentClient;
  tableName: string;
  clock: () => Date;
  /** Takes one line of the log. */
  log: (line: string) => void;
  credentialCache: CredentialCache;
  /** How long a request goes on trying what others are in the way of, where it is not as long as it can. */
  patienceInMs?: number;
  rateLimiter: RateLimiter;
  managementGuard: ManagementGuard;
}

/**
 * Who may call the management paths. `iam`: whom the gateway has let in by IAM. `keys`: who sends a management key. `open`:
 * anyone; there is no environment that says so, only the local server does.
 */
export type ManagementGuard = (typeof deployedGuards)[number] | 'open';

const environment = v.object({
  TABLE_NAME: v.pipe(v.string(), v.minLength(3)),
  /** Of a local engine; on AWS the region decides. */
  DYNAMODB_ENDPOINT: v.optional(v.pipe(v.string(), v.url())),
  RATE_LIMIT_PER_MINUTE: v.optional(ratePerMinute),
  /** A function that is told nothing lets in only what IAM has. */
  MANAGEMENT_GUARD: v.optional(v.picklist(deployedGuards), 'iam'),
});

/** Local engines take any credentials, but the SDK insists on some; AWS's own endpoints need the real ones. */
const localEngine = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

function isOfAws(endpoint: string): boolean {
  return /\.amazonaws\.com(\.cn)?$/.test(new URL(endpoint).hostname);
}

export interface ClientOptions {
  /** How long to wait for a connection, a free one if all are in use, before the SDK tries again. */
  connectionTimeoutInMs?: number;
  /** How long to wait for a reply before it does. */
  replyTimeoutInMs?: number;
  /** Connections at once, each with one call; the SDK's own limit is 50. */
  maxConnections?: number;
}

/** With the patience and the connections of a function's container, which serves one request at a time, unless told otherwise. */
export function dynamodbClient(
  endpoint: string | undefined,
  { connectionTimeoutInMs = 1_000, replyTimeoutInMs = 3_000, maxConnections = 50 }: ClientOptions = {},
): DynamoDBClient {
  const agent = { keepAlive: true, maxSockets: maxConnections };
  const client = new DynamoDBClient({
    requestHandler: {
      // Far below a function's time, so that a hanging connection is tried again inside the request.
      connectionTimeout: connectionTimeoutInMs,
      requestTimeout: replyTimeoutInMs,
      throwOnRequestTimeout: true,
      // The other ends with the head of the reply: a body that stops halfway would be waited for without end.
      socketTimeout: replyTimeoutInMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
    ...(endpoint === undefined ? {} : { endpoint, ...(isOfAws(endpoint) ? {} : localEngine) }),
  });
  // It copies every input and output for a log that nobody reads: 3 % of a busy server's time.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

/** Names what is wrong and no value: the environment holds credentials, and Lambda logs all that an error carries. */
export function readEnvironment<S extends v.GenericSchema>(schema: S, env: NodeJS.ProcessEnv): v.InferOutput<S> {
  const { success, output, issues } = v.safeParse(schema, env);
  if (success) return output;
  throw new Error(`the environment is not valid: ${describeIssues(issues, 'it').join('; ')}`);
}

/** Composition in one place: the environment, read once, becomes what the handlers need. */
export function compose(env: NodeJS.ProcessEnv): Dependencies {
  const { TABLE_NAME, DYNAMODB_ENDPOINT, RATE_LIMIT_PER_MINUTE, MANAGEMENT_GUARD } = readEnvironment(environment, env);
  return {
    dynamodb: documentClient(dynamodbClient(DYNAMODB_ENDPOINT)),
    tableName: TABLE_NAME,
    clock: () => new Date(),
    log: (line) => process.stdout.write(`${line}\n`),
    credentialCache: new CredentialCache(),
    rateLimiter: new RateLimiter(RATE_LIMIT_PER_MINUTE),
    managementGuard: MANAGEMENT_GUARD,
  };
}

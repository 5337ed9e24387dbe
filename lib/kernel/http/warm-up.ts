import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { type AppKey, appKeyItem, appKeysById } from '#kernel/access/projects/app-key.ts';
import { type Project, toProject } from '#kernel/access/projects/project.ts';
import type { ReportEngine } from '#kernel/core/reports.ts';
import { createEmptyTableClient } from '#kernel/table/empty-table.ts';
import { kinds } from '#kernel/table/kind-names.ts';
import { Table } from '#kernel/table/table.ts';
import { composeOnce, type Dependencies } from './composition.ts';
import { CredentialCache } from './credential-cache.ts';
import type { Endpoint } from './operation.ts';
import { RateLimiter } from './rate-limit.ts';
import { hasAppKey } from './route.ts';

/** A longer start continues without rehearsals. Lambda aborts a start after 10 s. */
const longestInMs = 3_000;

/** Counts rehearsals. A fourth and a fifth made no measurable difference to the first call. */
const rounds = 3;

/** Provides every name that a rehearsal needs. No project, key or customer has this name. */
const nobody = 'nobody';

const created_at = '2026-01-01T00:00:00.000Z';
const discount = { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' };

/** Stored items by kind. A read of a kind finds its item under any key, so that most rehearsals reach their end. */
const rehearsedItems: Readonly<Record<string, Record<string, unknown>>> = {
  CAMPAIGN: {
    name: nobody,
    campaign_type: 'PROMOTION',
    type: 'AUTO_UPDATE',
    version: nobody,
    active: true,
    protected: false,
    auto_join: false,
    join_once: false,
    use_voucher_metadata_schema: false,
    creation_status: 'DONE',
    vouchers_generation_status: 'DONE',
    metadata: {},
    created_at,
  },
  PROMOTION_TIER: {
    name: nobody,
    campaign_id: nobody,
    version: nobody,
    hierarchy: 1,
    active: true,
    action: { discount },
    metadata: {},
    summary: { orders: { total_amount: 0, total_discount_amount: 0 }, redemptions: { total_redeemed: 0 } },
    created_at,
  },
  PRODUCT: { name: nobody, price: 100, metadata: {}, created_at },
  EARNING_PROGRAMME: { campaign_id: nobody },
  EARNING_RULE: {
    id: nobody,
    campaign_id: nobody,
    event: 'order.paid',
    active: true,
    loyalty: { type: 'FIXED', points: 1 },
  },
  OFFERED: { version: nobody, v0: nobody },
  OFFERED_PART: { version: nobody, [`promotion_tier ${nobody}`]: nobody, [`campaign ${nobody}`]: nobody },
  VOUCHER: { code: nobody, type: 'DISCOUNT_VOUCHER', active: true, discount, created_at },
};

/**
 * Lists have a single element in partitions with these ends. Each value holds the fields of the element in the index.
 */
const rehearsedLists: Readonly<Record<string, Record<string, unknown>>> = {
  '#STANDALONE_VOUCHERS#DISCOUNT_VOUCHER#0': { id: nobody, created_at },
};

/** Returns the fields in the index of the only element in a partition. */
function listedIn(partition: string): Record<string, unknown> | undefined {
  return Object.entries(rehearsedLists).find(([end]) => partition.endsWith(end))?.[1];
}

/** Lets any caller in, to a project that does not exist. */
class RehearsedCredentials extends CredentialCache {
  override async acceptedAppKey(): Promise<AppKey> {
    return { app_id: nobody, name: nobody, project_id: nobody, token_hash: '', active: true };
  }

  override async project(): Promise<Project> {
    return toProject({
      id: nobody,
      name: nobody,
      features: {},
      secret: nobody,
      created_at: '2026-01-01T00:00:00.000Z',
    });
  }
}

function eventOf({ route }: Endpoint): APIGatewayProxyEventV2 {
  const { method, path, example } = route;
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: example.query ?? '',
    headers: { 'x-app-id': nobody, 'x-app-token': nobody, 'content-type': 'application/json' },
    pathParameters: example.params ?? {},
    ...(example.body === undefined ? {} : { body: JSON.stringify(example.body) }),
    isBase64Encoded: false,
    requestContext: { requestId: nobody, domainName: nobody, http: { method, path, sourceIp: '' } },
  } as unknown as APIGatewayProxyEventV2;
}

/** Opens the connection by a signed read of a key that no item has. This works even for a function without the right to read it. */
async function openConnection({ dynamodb, tableName, clock }: Dependencies): Promise<void> {
  await new Table(dynamodb, tableName, clock(), { capacityPatienceInMs: 0 }).get(appKeysById(nobody), appKeyItem);
}

/**
 * Returns the stored item of a kind. Customers exist only under the names in the example's path, because a checkout creates its customer.
 */
function itemOf({ route }: Endpoint, kind: string, id: string): Record<string, unknown> | undefined {
  const [name, ...others] = Object.values(route.example.params ?? {});
  if (kind === kinds.customerSource) return [name, ...others].includes(id) ? { customer_id: nobody } : undefined;
  if (kind === kinds.customer) return id === nobody ? { source_id: name, metadata: {}, created_at } : undefined;
  return rehearsedItems[kind];
}

/** Answers without a query, because a query costs money. */
const rehearsedReports: ReportEngine = {
  query: async () => [],
  queryWithFile: async () => ({ rows: [], parquet: new Uint8Array() }),
};

/** Carries out the operation's example on a table in memory, which no project uses and which keeps nothing. */
async function rehearse(handler: Endpoint, real: Dependencies): Promise<void> {
  const context = { getRemainingTimeInMillis: () => 2 * longestInMs } as Context;
  for (let round = 0; round < rounds; round++) {
    const dependencies = {
      ...real,
      dynamodb: createEmptyTableClient({ itemOf: (kind, id) => itemOf(handler, kind, id), listedIn }),
      log: () => {},
      credentialCache: new RehearsedCredentials(),
      rateLimiter: new RateLimiter(),
      reports: rehearsedReports,
      patienceInMs: 1,
    };
    await handler.with(dependencies)(eventOf(handler), context);
  }
}

function isRehearsed({ route }: Endpoint): boolean {
  const { body, files } = route;
  return hasAppKey(route) && files === undefined && (typeof body !== 'object' || body.format === 'json');
}

/** Runs steps while a function starts in Lambda. Fails quietly, and has no effect outside of Lambda. */
async function whileStarting(
  env: NodeJS.ProcessEnv,
  steps: (dependencies: Dependencies) => readonly Promise<unknown>[],
): Promise<void> {
  if (env.AWS_LAMBDA_FUNCTION_NAME === undefined) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, longestInMs);
  });
  const warm = async () => {
    await Promise.allSettled(steps(composeOnce()));
  };
  // The first call reports the fault of the environment.
  await Promise.race([warm().catch(() => undefined), timeUp]);
  clearTimeout(timer);
}

/**
 * Composes, connects and compiles while a function starts, so that its first call need not. A start has a whole core, a
 * call only a part of a core.
 */
export async function warmUp(handler: Endpoint, env: NodeJS.ProcessEnv): Promise<void> {
  if (handler.route.access === 'none') return;
  await whileStarting(env, (dependencies) => [
    openConnection(dependencies),
    ...(isRehearsed(handler) ? [rehearse(handler, dependencies)] : []),
  ]);
}

/** Composes and connects while a function starts whose operations load with their first calls. */
export async function connectEarly(env: NodeJS.ProcessEnv): Promise<void> {
  await whileStarting(env, (dependencies) => [openConnection(dependencies)]);
}

import { CfnOutput, Duration, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
import {
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  type IHttpRouteAuthorizer,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { type MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  Billing,
  CfnGlobalTable,
  ProjectionType,
  StreamViewType,
  Operation as TableOperation,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import * as v from 'valibot';
import { deployedGuards } from '../lib/composition.ts';
import { defaultRateLimitPerMinute, ratePerMinute } from '../lib/http/rate-limit.ts';
import { families, type Operation, routes } from '../lib/routes/index.ts';
import { matchPath } from '../lib/routes/match.ts';
import { hasAppKey, type Route } from '../lib/routes/route.ts';
import { email } from '../lib/schema.ts';
import { tableShape } from '../lib/table.ts';
import { Alarms, alarmPeriod } from './alarms.ts';
import { createDashboard } from './dashboard.ts';
import { DocsFunction } from './docs-function.ts';
import { DueWorkerFunction } from './due-worker-function.ts';
import type { EndpointFunction } from './endpoint-function.ts';
import { FamilyStack } from './family-stack.ts';
import { createGateway, serverErrorsOf, sumOf } from './gateway.ts';
import { excuse } from './nag.ts';
import { type StageSettings, settingsOf } from './settings.ts';
import { StreamWorkerFunction } from './stream-worker-function.ts';
import { grantOf } from './table-grants.ts';

const fallback: Operation = 'unknown-path';

export interface TesseraStackProps {
  /** Chooses the settings, and names the stack. */
  stage: string;
  /** Folder of the bundled handler, by operation. */
  bundleDirs: Readonly<Record<string, string>>;
  streamWorkerBundleDir: string;
  dueWorkerBundleDir: string;
  docsBundleDir: string;
  /** Calls that each container takes of an app key. */
  rateLimitPerMinute?: number;
  /** What guards the management paths; IAM unless it says otherwise. */
  managementGuard?: DeployedGuard;
  /** Whom invitations are mailed from: an identity that SES has verified in the stack's region. */
  mailSender?: string;
  /** Who is told of alarms, and has to confirm it once. Anything else subscribes to the topic. */
  alarmEmail?: string;
}

type DeployedGuard = (typeof deployedGuards)[number];

/** There is none that leaves them open. */
export function checkedGuard(guard: unknown): DeployedGuard {
  const known = deployedGuards.find((some) => some === guard);
  if (known !== undefined) return known;
  throw new Error(`managementGuard must be one of ${deployedGuards.join(', ')}`);
}

/** It becomes part of names that AWS limits. */
export function checkedStage(stage: unknown): string {
  if (typeof stage === 'string' && /^[a-z][a-z0-9-]{0,15}$/.test(stage)) return stage;
  throw new Error('stage must be 1 to 16 lower-case letters, digits or hyphens, a letter first');
}

/** A mistake in it would stop every function at its start otherwise. */
export function checkedRateLimit(limit: unknown): number {
  const { success, issues, output } = v.safeParse(ratePerMinute, String(limit));
  if (success) return output;
  throw new Error(`rateLimitPerMinute ${issues[0].message}`);
}

/** A mistake in it would be found with the first invitation otherwise. */
export function checkedSender(sender: unknown): string {
  return checkedAddress('mailSender', sender);
}

export function checkedAddress(name: string, address: unknown): string {
  const result = v.safeParse(email, address);
  if (result.success) return result.output;
  throw new Error(`${name} must be an e-mail address`);
}

/**
 * The gateway decodes `%2F` before it routes, so that a code with a slash looks like several segments. At the end of a
 * path a greedy parameter takes them all; the gateway prefers the plain one where both fit. In the middle of a path
 * there is no such remedy: a voucher whose code has a slash is reached there by its id only.
 */
function greedyPath(path: string): string | undefined {
  return /\{\w+\}$/.test(path) ? path.replace(/\}$/, '+}') : undefined;
}

/**
 * Known paths that a greedy parameter would answer for a method that they don't have, where 405 is due: sent to the
 * fallback by name. The gateway takes `ANY` for the methods without a route of their own.
 */
export function pathsUnderGreedyOnes(all: readonly Route[]): string[] {
  const greedy = all.flatMap(({ method, path }) => {
    const pattern = greedyPath(path);
    return pattern ? [{ method, pattern }] : [];
  });
  const under = all.filter(({ path }) =>
    greedy.some(
      ({ method, pattern }) =>
        matchPath(pattern, path) && !all.some((other) => other.path === path && other.method === method),
    ),
  );
  return [...new Set(under.map(({ path }) => path))];
}

/**
 * The functions check app credentials and management keys themselves. No `default`: a new kind doesn't compile before it is
 * guarded here.
 */
function authorizerOf({ authentication }: Route, managementGuard: DeployedGuard): IHttpRouteAuthorizer {
  switch (authentication) {
    case 'management':
      return managementGuard === 'iam' ? new HttpIamAuthorizer() : new HttpNoneAuthorizer();
    case 'server':
    case 'app-key':
    case 'none':
      return new HttpNoneAuthorizer();
  }
}

const keyTypes = { S: AttributeType.STRING, N: AttributeType.NUMBER } as const;

const indexes = Object.entries(tableShape.indexes).map(([indexName, index]) => ({
  ...index,
  indexName,
  sortKey: { name: index.sortKey, type: keyTypes[index.sortKeyType] },
  projectionType: ProjectionType[index.projection],
}));

/**
 * Whoever may use the table may use its key, and only through the table, as with the key that AWS keeps for DynamoDB: the roles
 * stay what they are with DynamoDB's own.
 */
function createTableKey(scope: Construct): Key {
  const stack = Stack.of(scope);
  const key = new Key(scope, 'table-key', {
    description: `${stack.stackName}: the table. Without it the table and its backups can't be read`,
    enableKeyRotation: true,
    pendingWindow: Duration.days(30),
    removalPolicy: RemovalPolicy.RETAIN,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new AnyPrincipal()],
      actions: [
        'kms:Decrypt',
        'kms:DescribeKey',
        'kms:Encrypt',
        'kms:GenerateDataKey*',
        'kms:ReEncrypt*',
        'kms:CreateGrant',
      ],
      resources: ['*'],
      conditions: {
        StringEquals: {
          'kms:CallerAccount': stack.account,
          'kms:ViaService': `dynamodb.${stack.region}.${stack.urlSuffix}`,
        },
      },
    }),
  );
  return key;
}

function createTable(scope: Construct, { keepData: keep, ownTableKey }: StageSettings): TableV2 {
  const table = new TableV2(scope, 'table', {
    partitionKey: { name: tableShape.partitionKey, type: AttributeType.STRING },
    sortKey: { name: tableShape.sortKey, type: AttributeType.STRING },
    localSecondaryIndexes: indexes.flatMap(({ scope, indexName, sortKey, projectionType }) =>
      scope === 'local' ? [{ indexName, sortKey, projectionType }] : [],
    ),
    globalSecondaryIndexes: indexes.flatMap((index) =>
      index.scope === 'global'
        ? [
            {
              indexName: index.indexName,
              partitionKey: { name: index.partitionKey, type: AttributeType.STRING },
              sortKey: index.sortKey,
              projectionType: index.projectionType,
            },
          ]
        : [],
    ),
    billing: Billing.onDemand(),
    timeToLiveAttribute: tableShape.timeToLive,
    dynamoStream: StreamViewType[tableShape.streamView],
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: keep,
    removalPolicy: keep ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  if (ownTableKey) {
    const resource = table.node.defaultChild;
    if (!(resource instanceof CfnGlobalTable)) throw new Error('the table is not a global table');
    // TableV2 takes a key only where the region is known at synthesis.
    resource.addPropertyOverride('SSESpecification', { SSEEnabled: true, SSEType: 'KMS' });
    resource.addPropertyOverride('Replicas.0.SSESpecification.KMSMasterKeyId', createTableKey(scope).keyArn);
  }
  return table;
}

/** Of the table and its global indexes, which the table counts apart. */
function throttlesOf(table: TableV2): MathExpression {
  const ofIndexes = indexes.flatMap(({ scope, indexName }) =>
    scope === 'global' ? [{ GlobalSecondaryIndexName: indexName }] : [],
  );
  const events = (metricName: string) =>
    [{}, ...ofIndexes].map((index) =>
      table.metric(metricName, {
        statistic: Stats.SUM,
        period: alarmPeriod,
        dimensionsMap: { TableName: table.tableName, ...index },
      }),
    );
  return sumOf([...events('ReadThrottleEvents'), ...events('WriteThrottleEvents')]);
}

function watchTable(scope: Construct, table: TableV2, { tableThrottles }: StageSettings, alarms: Alarms): void {
  alarms.add(scope, 'table-throttles', {
    description: 'The table refuses calls: one partition gets too many, or the whole table far more than ever before',
    metric: throttlesOf(table),
    above: tableThrottles,
  });
  const operations = [
    TableOperation.GET_ITEM,
    TableOperation.BATCH_GET_ITEM,
    TableOperation.QUERY,
    TableOperation.PUT_ITEM,
    TableOperation.UPDATE_ITEM,
    TableOperation.TRANSACT_WRITE_ITEMS,
    TableOperation.TRANSACT_GET_ITEMS,
  ];
  alarms.add(scope, 'table-system-errors', {
    description: "DynamoDB fails by itself: see AWS's health dashboard",
    metric: table.metricSystemErrorsForOperations({ operations, period: alarmPeriod }),
    above: 0,
    periods: 2,
  });
}

const publicByDesign =
  'The function behind it checks app keys, bearer tokens or management keys itself, the same wherever it runs; paths that take none are those of OAuth, which check the app key, pictures behind ids that cannot be guessed, and the reply to an unknown path.';

/** The keys under which the gateway knows an operation; the first is its own. */
function routeKeysOf(operation: string, { method, path }: Route): { id: string; key: HttpRouteKey }[] {
  if (operation === fallback) {
    const known = pathsUnderGreedyOnes(Object.values(routes)).map((path) => ({
      id: `any ${path.replaceAll('/', ' ')}`,
      key: HttpRouteKey.with(path, HttpMethod.ANY),
    }));
    return [{ id: 'route', key: HttpRouteKey.DEFAULT }, ...known];
  }
  const greedy = greedyPath(path);
  return [
    { id: 'route', key: HttpRouteKey.with(path, HttpMethod[method]) },
    ...(greedy ? [{ id: 'greedy-route', key: HttpRouteKey.with(greedy, HttpMethod[method]) }] : []),
  ];
}

/**
 * One function, grant, gateway route and alarms for each route of the table, over one DynamoDB table, the worker on its
 * stream, the worker for what is due, and a dashboard of it all. The functions are in a nested stack for each family.
 */
export class TesseraStack extends Stack {
  /** By operation. */
  readonly endpoints: ReadonlyMap<string, EndpointFunction>;
  readonly streamWorker: StreamWorkerFunction;
  readonly dueWorker: DueWorkerFunction;

  constructor(scope: Construct, props: TesseraStackProps) {
    const { stage, bundleDirs, streamWorkerBundleDir, dueWorkerBundleDir, docsBundleDir, mailSender, alarmEmail } =
      props;
    const guard = checkedGuard(props.managementGuard ?? 'iam');
    const rateLimitPerMinute = checkedRateLimit(props.rateLimitPerMinute ?? defaultRateLimitPerMinute);
    super(scope, 'tessera', {
      stackName: `tessera-${checkedStage(stage)}`,
      description: `Tessera, stage ${stage}`,
      analyticsReporting: false,
    });
    const settings = settingsOf(stage);
    const alarms = new Alarms(this, 'alarms', alarmEmail === undefined ? {} : { email: alarmEmail });
    const table = createTable(this, settings);
    watchTable(this, table, settings, alarms);
    const api = createGateway(this, { stage, settings });

    const endpoints = new Map<string, EndpointFunction>();
    for (const [family, familyRoutes] of Object.entries(families)) {
      const functions = new FamilyStack(this, family);
      const all: [string, Route][] = Object.entries(familyRoutes);
      for (const [operation, route] of all) {
        const bundleDir = bundleDirs[operation];
        if (bundleDir === undefined) throw new Error(`operation ${operation} has no bundle`);
        const routeKeys = routeKeysOf(operation, route);
        const endpoint = functions.addEndpoint(operation, {
          bundleDir,
          description: route.summary,
          table,
          grant: grantOf(operation),
          environment: {
            ...(hasAppKey(route) ? { RATE_LIMIT_PER_MINUTE: String(rateLimitPerMinute) } : {}),
            ...(route.authentication === 'management' ? { MANAGEMENT_GUARD: guard } : {}),
          },
          settings,
          alarms,
          // The gateway does not measure its default route by a method and path.
          ...(operation === fallback
            ? {}
            : {
                serverErrors: serverErrorsOf(
                  api,
                  routeKeys.map(({ key }) => key.key),
                ),
              }),
        });
        endpoints.set(operation, endpoint);

        const integration = new HttpLambdaIntegration('integration', endpoint.function);
        const gatewayRoutes = new Construct(this, operation);
        for (const { id, key } of routeKeys) {
          const authorizer = authorizerOf(route, guard);
          new HttpRoute(gatewayRoutes, id, { httpApi: api, routeKey: key, integration, authorizer });
        }
        if (!(authorizerOf(route, guard) instanceof HttpIamAuthorizer)) {
          excuse(gatewayRoutes, 'AwsSolutions-APIG4', publicByDesign);
        }
      }
    }
    this.endpoints = endpoints;

    this.streamWorker = new StreamWorkerFunction(this, 'stream-worker', {
      bundleDir: streamWorkerBundleDir,
      table,
      ...(mailSender === undefined ? {} : { mailSender: checkedSender(mailSender) }),
      settings,
      alarms,
    });
    this.dueWorker = new DueWorkerFunction(this, 'due-worker', {
      bundleDir: dueWorkerBundleDir,
      table,
      settings,
      alarms,
    });

    new DocsFunction(this, 'docs', { bundleDir: docsBundleDir, api, table, settings, alarms });

    // Also what no route's alarm sees: an integration that fails before any function.
    alarms.add(this, 'server-errors', {
      description: 'The API answered with a 5xx: the log line of the request id tells why',
      metric: api.metricServerError({ period: alarmPeriod, statistic: Stats.SUM }),
      above: 0,
    });
    createDashboard(this, {
      stage,
      api,
      table,
      streamWorker: this.streamWorker,
      dueWorker: this.dueWorker,
    });

    Tags.of(this).add('application', 'tessera');
    Tags.of(this).add('stage', stage);
    new CfnOutput(this, 'ApiUrl', { value: api.apiEndpoint });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'AlarmTopic', { value: alarms.topic.topicArn });
  }
}

import { CfnOutput, Duration, RemovalPolicy, Stack, Tags } from 'aws-cdk-lib';
import {
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  type IHttpRouteAuthorizer,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import * as v from 'valibot';
import { deployedGuards } from '../lib/composition.ts';
import { defaultRateLimitPerMinute, ratePerMinute } from '../lib/http/rate-limit.ts';
import { type Operation, routes } from '../lib/routes/index.ts';
import { matchPath } from '../lib/routes/match.ts';
import { hasAppKey, type Route } from '../lib/routes/route.ts';
import { email } from '../lib/schema.ts';
import { tableShape } from '../lib/table.ts';
import { DocsFunction } from './docs-function.ts';
import { DueWorkerFunction } from './due-worker-function.ts';
import { EndpointFunction } from './endpoint-function.ts';
import { StreamWorkerFunction } from './stream-worker-function.ts';

const fallback: Operation = 'unknown-path';

export interface TesseraStackProps {
  /** `prod` keeps its data when the stack goes; every other stage is disposable. */
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
  const result = v.safeParse(email, sender);
  if (result.success) return result.output;
  throw new Error('mailSender must be an e-mail address');
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

function createTable(scope: Construct, keep: boolean): TableV2 {
  return new TableV2(scope, 'table', {
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
}

/**
 * One function, grant, gateway route and alarm for each route of the table, over one DynamoDB table, the worker on its
 * stream, and the worker for what is due.
 */
export class TesseraStack extends Stack {
  constructor(scope: Construct, props: TesseraStackProps) {
    const { stage, bundleDirs, streamWorkerBundleDir, dueWorkerBundleDir, docsBundleDir, mailSender } = props;
    const guard = checkedGuard(props.managementGuard ?? 'iam');
    const rateLimitPerMinute = checkedRateLimit(props.rateLimitPerMinute ?? defaultRateLimitPerMinute);
    super(scope, 'tessera', {
      stackName: `tessera-${checkedStage(stage)}`,
      description: `Tessera, stage ${stage}`,
      analyticsReporting: false,
    });
    const keep = stage === 'prod';
    const table = createTable(this, keep);
    const api = new HttpApi(this, 'api', { apiName: `tessera-${stage}` });

    const all: [string, Route][] = Object.entries(routes);
    for (const [operation, route] of all) {
      const bundleDir = bundleDirs[operation];
      if (bundleDir === undefined) throw new Error(`operation ${operation} has no bundle`);
      const endpoint = new EndpointFunction(this, operation, {
        bundleDir,
        description: route.summary,
        table,
        access: route.access,
        environment: {
          ...(hasAppKey(route) ? { RATE_LIMIT_PER_MINUTE: String(rateLimitPerMinute) } : {}),
          ...(route.authentication === 'management' ? { MANAGEMENT_GUARD: guard } : {}),
        },
        keepLog: keep,
      });
      const integration = new HttpLambdaIntegration('integration', endpoint.function);
      const addRoute = (id: string, routeKey: HttpRouteKey) =>
        new HttpRoute(endpoint, id, { httpApi: api, routeKey, integration, authorizer: authorizerOf(route, guard) });

      if (operation === fallback) {
        addRoute('route', HttpRouteKey.DEFAULT);
        for (const path of pathsUnderGreedyOnes(Object.values(routes))) {
          addRoute(`any ${path.replaceAll('/', ' ')}`, HttpRouteKey.with(path, HttpMethod.ANY));
        }
        continue;
      }
      addRoute('route', HttpRouteKey.with(route.path, HttpMethod[route.method]));
      const greedy = greedyPath(route.path);
      if (greedy) addRoute('greedy-route', HttpRouteKey.with(greedy, HttpMethod[route.method]));
    }

    new StreamWorkerFunction(this, 'stream-worker', {
      bundleDir: streamWorkerBundleDir,
      table,
      ...(mailSender === undefined ? {} : { mailSender: checkedSender(mailSender) }),
      keepLog: keep,
    });
    new DueWorkerFunction(this, 'due-worker', { bundleDir: dueWorkerBundleDir, table, keepLog: keep });

    new DocsFunction(this, 'docs', { bundleDir: docsBundleDir, api, table, keepLog: keep });

    // The endpoint wrapper answers its own failures as 500, which no function counts as an error.
    api.metricServerError({ period: Duration.minutes(5), statistic: 'sum' }).createAlarm(this, 'server-errors', {
      alarmDescription: 'the API answered with a 5xx; the log line of the request id tells why',
      threshold: 1,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });

    Tags.of(this).add('application', 'tessera');
    Tags.of(this).add('stage', stage);
    new CfnOutput(this, 'ApiUrl', { value: api.apiEndpoint });
    new CfnOutput(this, 'TableName', { value: table.tableName });
  }
}

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { App } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { docsPaths } from '../../infra/docs/handler.ts';
import { DocsFunction } from '../../infra/docs-function.ts';
import {
  checkedGuard,
  checkedRateLimit,
  checkedStage,
  pathsUnderGreedyOnes,
  TesseraStack,
  type TesseraStackProps,
} from '../../infra/stack.ts';
import { grantOf } from '../../infra/table-grants.ts';
import { defaultRateLimitPerMinute } from '../../lib/http/rate-limit.ts';
import { type Operation, routes } from '../../lib/routes/index.ts';
import type { Route } from '../../lib/routes/route.ts';
import { tableShape } from '../../lib/table.ts';
import { wholeTemplate } from '../support/template.ts';

const operations: [string, Route][] = Object.entries(routes);
const fallback: Operation = 'unknown-path';
/** Functions of the stack: one for each operation, the stream's worker, that for what is due, and the docs. */
const functionCount = operations.length + 3;

const reference = v.object({ Ref: v.string() });
const attribute = v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) });
/** CloudFormation takes a list of one without its brackets. */
const actions = v.union([
  v.array(v.string()),
  v.pipe(
    v.string(),
    v.transform((one) => [one]),
  ),
]);
const resource = v.union([v.literal('*'), v.record(v.string(), v.unknown())]);
const resources = v.union([
  v.array(resource),
  v.pipe(
    resource,
    v.transform((one) => [one]),
  ),
]);

const functionResource = v.object({
  Properties: v.object({
    Runtime: v.string(),
    Architectures: v.array(v.string()),
    Role: attribute,
    LoggingConfig: v.object({ LogGroup: reference }),
    Environment: v.object({ Variables: v.record(v.string(), v.unknown()) }),
  }),
});
const policyResource = v.object({
  Properties: v.object({
    Roles: v.array(reference),
    PolicyDocument: v.object({
      Statement: v.array(
        v.object({
          Effect: v.literal('Allow'),
          Action: actions,
          Resource: resources,
        }),
      ),
    }),
  }),
});
const roleResource = v.object({
  Properties: v.object({ ManagedPolicyArns: v.optional(v.never()), Policies: v.optional(v.never()) }),
});
const routeResource = v.object({
  Properties: v.object({ RouteKey: v.string(), Target: v.object({ 'Fn::Join': v.unknown() }) }),
});
const integrationResource = v.object({
  Properties: v.object({ IntegrationUri: attribute, PayloadFormatVersion: v.string() }),
});
const metric = v.object({
  Namespace: v.string(),
  MetricName: v.string(),
  Dimensions: v.array(v.object({ Name: v.string(), Value: v.unknown() })),
});
/** Of one metric, or of an expression of several. */
const alarmResource = v.object({
  Properties: v.object({
    AlarmActions: v.array(reference),
    ...v.partial(metric).entries,
    Metrics: v.optional(v.array(v.object({ MetricStat: v.optional(v.object({ Metric: metric })) })), []),
  }),
});
const targetedIntegration = v.object({
  'Fn::Join': v.tuple([v.literal(''), v.tuple([v.literal('integrations/'), reference])]),
});

let bundleDir: string;
let devStack: TesseraStack;
let dev: Template;

function stackOf(stage: string, others: Partial<TesseraStackProps> = {}): TesseraStack {
  const bundleDirs = Object.fromEntries(operations.map(([operation]) => [operation, bundleDir]));
  const single = { streamWorkerBundleDir: bundleDir, dueWorkerBundleDir: bundleDir, docsBundleDir: bundleDir };
  return new TesseraStack(new App(), { stage, bundleDirs, ...single, ...others });
}

function resourcesOf<S extends v.GenericSchema>(template: Template, type: string, schema: S) {
  const byId = new Map<string, v.InferOutput<S>>();
  for (const [id, resource] of Object.entries(template.findResources(type))) byId.set(id, v.parse(schema, resource));
  return byId;
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is not in the template`);
  return value;
}

function functionOf(operation: string) {
  const { function: lambda } = found(devStack.endpoints.get(operation), operation);
  const id = v.parse(reference, lambda.stack.resolve(lambda.functionName)).Ref;
  return { id, ...found(resourcesOf(dev, 'AWS::Lambda::Function', functionResource).get(id), id).Properties };
}

function statementsOf(operation: string) {
  const [roleId] = functionOf(operation).Role['Fn::GetAtt'];
  return [...resourcesOf(dev, 'AWS::IAM::Policy', policyResource).values()]
    .filter(({ Properties }) => Properties.Roles.some(({ Ref }) => Ref === roleId))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
}

/** Logical id of the function, by route key. */
function gatewayRoutes(): Map<string, string> {
  const integrations = resourcesOf(dev, 'AWS::ApiGatewayV2::Integration', integrationResource);
  return new Map(
    [...resourcesOf(dev, 'AWS::ApiGatewayV2::Route', routeResource).values()].map(({ Properties }) => {
      const target = v.parse(targetedIntegration, Properties.Target)['Fn::Join'][1][1].Ref;
      const { IntegrationUri } = found(integrations.get(target), target).Properties;
      return [Properties.RouteKey, IntegrationUri['Fn::GetAtt'][0]];
    }),
  );
}

function watchedMetrics() {
  return [...resourcesOf(dev, 'AWS::CloudWatch::Alarm', alarmResource).values()].flatMap(({ Properties }) => [
    ...(v.is(metric, Properties) ? [v.parse(metric, Properties)] : []),
    ...Properties.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []),
  ]);
}

beforeAll(() => {
  bundleDir = mkdtempSync(join(tmpdir(), 'tessera-stack-'));
  writeFileSync(join(bundleDir, 'index.mjs'), 'export const handler = () => {};\n');
  devStack = stackOf('dev');
  dev = wholeTemplate(devStack);
});

afterAll(() => rmSync(bundleDir, { recursive: true, force: true }));

test('functions/ holds one file for each route and nothing else', () => {
  const files = readdirSync(join(import.meta.dirname, '..', '..', 'functions'));
  expect(files.sort()).toEqual(operations.map(([operation]) => `${operation}.ts`).sort());
});

describe.each(operations)('%s', (operation, route) => {
  test('has a function behind its route key', () => {
    const key = operation === fallback ? '$default' : `${route.method} ${route.path}`;
    expect(gatewayRoutes().get(key)).toBe(functionOf(operation).id);
  });

  test('runs on Node.js 24 on arm64 and knows the table', () => {
    const { Runtime, Architectures, Environment } = functionOf(operation);
    expect({ Runtime, Architectures }).toEqual({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    const [tableId] = Object.keys(dev.findResources('AWS::DynamoDB::GlobalTable'));
    expect(Environment.Variables).toMatchObject({ TABLE_NAME: { Ref: tableId } });
  });

  test('changes the table only if its route says that it writes', () => {
    const writes = statementsOf(operation)
      .flatMap(({ Action }) => Action)
      .filter((action) => /^dynamodb:(?!BatchGetItem$|GetItem$|Query$)/.test(action));
    expect(writes.length > 0).toBe(route.access === 'write');
  });

  test('has no right outside of the table, its log and its traces', () => {
    const granted = statementsOf(operation).flatMap(({ Action }) => Action);
    expect(granted.filter((action) => !/^(dynamodb|logs|xray):/.test(action))).toEqual([]);
  });

  test('reaches the one table, its indexes, its own log group and the traces only', () => {
    const [tableId] = Object.keys(dev.findResources('AWS::DynamoDB::GlobalTable'));
    const tableArn = { 'Fn::GetAtt': [tableId, 'Arn'] };
    const logGroup = functionOf(operation).LoggingConfig.LogGroup.Ref;
    const indexes = (grantOf(operation).indexes ?? []).map((name) => ({
      'Fn::Join': ['', [tableArn, `/index/${name}`]],
    }));
    const resourcesOfService: Readonly<Record<string, unknown>> = {
      logs: [{ 'Fn::GetAtt': [logGroup, 'Arn'] }],
      dynamodb: [tableArn, ...indexes],
      xray: ['*'],
    };
    for (const { Action, Resource } of statementsOf(operation)) {
      const services = new Set(Action.map((action) => action.split(':')[0] ?? ''));
      expect(services.size).toBe(1);
      for (const service of services) expect(Resource).toEqual(resourcesOfService[service]);
    }
  });

  test('has alarms on its replies of 5xx, on how long it takes, and on executions that it was refused', () => {
    const lambda = functionOf(operation).id;
    const own = watchedMetrics().filter(({ Dimensions }) =>
      Dimensions.some(({ Value }) => isDeepStrictEqual(Value, { Ref: lambda })),
    );
    const names = own.map(({ MetricName }) => MetricName).sort();
    if (operation === fallback) return expect(names).toEqual(['Duration', 'Errors', 'Throttles']);
    expect(names).toEqual(['Duration', 'Throttles']);
    const routeOfAlarm = watchedMetrics()
      .filter(({ Namespace, MetricName }) => Namespace === 'AWS/ApiGateway' && MetricName === '5xx')
      .map(({ Dimensions }) => Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value])));
    const keys = [...gatewayRoutes()].filter(([, target]) => target === lambda).map(([key]) => key.split(' '));
    for (const [Method, Resource] of keys)
      expect(routeOfAlarm).toContainEqual(expect.objectContaining({ Method, Resource }));
  });
});

describe('permissions', () => {
  test('every function has a role and a log group of its own', () => {
    const functions = [...resourcesOf(dev, 'AWS::Lambda::Function', functionResource).values()];
    expect(functions).toHaveLength(functionCount);
    const distinct = (ids: string[]) => new Set(ids).size;
    expect(distinct(functions.map(({ Properties }) => Properties.Role['Fn::GetAtt'][0]))).toBe(functions.length);
    expect(distinct(functions.map(({ Properties }) => Properties.LoggingConfig.LogGroup.Ref))).toBe(functions.length);
  });

  test('no action has a wildcard and no role a managed policy', () => {
    const policies = [...resourcesOf(dev, 'AWS::IAM::Policy', policyResource).values()];
    const granted = policies.flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.flatMap(({ Action }) => Action),
    );
    expect(granted.length).toBeGreaterThan(0);
    expect(granted.filter((action) => action.includes('*'))).toEqual([]);
    expect(resourcesOf(dev, 'AWS::IAM::Role', roleResource).size).toBe(functionCount);
  });
});

describe('gateway', () => {
  test('sends what no route takes to unknown-path', () => {
    expect(gatewayRoutes().get('$default')).toBe(functionOf(fallback).id);
  });

  test('calls functions with payload version 2.0', () => {
    const integrations = [...resourcesOf(dev, 'AWS::ApiGatewayV2::Integration', integrationResource).values()];
    expect(new Set(integrations.map(({ Properties }) => Properties.PayloadFormatVersion))).toEqual(new Set(['2.0']));
  });

  test('takes a code with slashes at the end of a path', () => {
    expect(gatewayRoutes().get('GET /v1/vouchers/{code+}')).toBe(functionOf('get-voucher').id);
  });

  test('answers a known path under a greedy one with 405 for other methods', () => {
    expect(gatewayRoutes().get('ANY /v1/vouchers/{code}/enable')).toBe(functionOf(fallback).id);
  });

  test('leaves a path under a greedy one alone when it has that method itself', () => {
    const at = (method: Route['method'], path: string): Route => ({ ...routes['get-voucher'], method, path });
    const all = [at('GET', '/v1/a/{id}'), at('GET', '/v1/a/{id}/b'), at('POST', '/v1/a/{id}/c'), at('PUT', '/v1/d')];
    expect(pathsUnderGreedyOnes(all)).toEqual(['/v1/a/{id}/c']);
  });

  test('has no other routes', () => {
    const plain = operations.filter(([operation]) => operation !== fallback).map(([, { path }]) => path);
    const known = new Set<string>([...plain, ...plain.map((path) => path.replace(/\}$/, '+}')), ...docsPaths]);
    const paths = [...gatewayRoutes().keys()].filter((key) => key !== '$default').map((key) => key.split(' ')[1]);
    expect(paths.filter((path) => path === undefined || !known.has(path))).toEqual([]);
  });
});

describe('the docs', () => {
  const docs = () => {
    const construct = devStack.node.findChild('docs');
    if (!(construct instanceof DocsFunction)) throw new Error('docs is not a DocsFunction');
    return v.parse(reference, devStack.resolve(construct.function.functionName)).Ref;
  };

  test('have one function for all of their paths', () => {
    expect(docsPaths.map((path) => gatewayRoutes().get(`ANY ${path}`))).toEqual(docsPaths.map(docs));
  });

  test('may write their log and do nothing else', () => {
    const { Role } = found(resourcesOf(dev, 'AWS::Lambda::Function', functionResource).get(docs()), 'docs').Properties;
    const granted = [...resourcesOf(dev, 'AWS::IAM::Policy', policyResource).values()]
      .filter(({ Properties }) => Properties.Roles.some(({ Ref }) => Ref === Role['Fn::GetAtt'][0]))
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement.flatMap(({ Action }) => Action));
    expect(granted.sort()).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
    ]);
  });

  test('have an alarm on their errors', () => {
    dev.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'Errors',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: docs() } }],
    });
  });
});

const guardedRoute = v.object({
  Properties: v.object({ RouteKey: v.string(), AuthorizationType: v.string(), AuthorizerId: v.optional(v.never()) }),
});

/** Of the stack as `npm run deploy` makes it with such a context. */
function managementOf(guard?: TesseraStackProps['managementGuard']) {
  const template = wholeTemplate(stackOf('dev', guard === undefined ? {} : { managementGuard: guard }));
  const gateway = [...resourcesOf(template, 'AWS::ApiGatewayV2::Route', guardedRoute).values()];
  const functions = [...resourcesOf(template, 'AWS::Lambda::Function', functionResource).values()];
  return {
    routes: gateway.filter(({ Properties }) => Properties.RouteKey.includes('/management/')),
    others: gateway.filter(({ Properties }) => !Properties.RouteKey.includes('/management/')),
    guards: functions.flatMap(({ Properties }) => Properties.Environment.Variables.MANAGEMENT_GUARD ?? []),
  };
}

const managementRoutes = operations.filter(([, { path }]) => path.startsWith('/management/'));

describe('no management path is open', () => {
  test('all of them, and nothing else, are routes that the guard is asked for', () => {
    expect(managementRoutes.length).toBeGreaterThan(0);
    const guarded = operations.filter(([, { authentication }]) => authentication === 'management');
    expect(guarded).toEqual(managementRoutes);
  });

  test.each([undefined, 'iam'] as const)(
    'when deployed with the guard %s: the gateway asks for IAM, and the function for its word',
    (guard) => {
      const { routes, guards } = managementOf(guard);
      // A path that ends with a parameter has a greedy route beside its own.
      expect(routes.length).toBeGreaterThan(managementRoutes.length);
      expect(new Set(routes.map(({ Properties }) => Properties.AuthorizationType))).toEqual(new Set(['AWS_IAM']));
      expect(guards).toEqual(managementRoutes.map(() => 'iam'));
    },
  );

  test('when deployed with keys: every function behind one asks for a key', () => {
    const { routes, guards } = managementOf('keys');
    expect(new Set(routes.map(({ Properties }) => Properties.AuthorizationType))).toEqual(new Set(['NONE']));
    expect(guards).toEqual(managementRoutes.map(() => 'keys'));
  });

  test('IAM guards no other path', () => {
    const { others } = managementOf();
    expect(new Set(others.map(({ Properties }) => Properties.AuthorizationType))).toEqual(new Set(['NONE']));
  });

  test.each(['open', 'none', '', undefined, true])('there is no guard %j to deploy with', (guard) => {
    expect(() => checkedGuard(guard)).toThrow('managementGuard must be one of iam, keys');
  });
});

describe('table', () => {
  test('has the shape of lib/table.ts', () => {
    dev.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: tableShape.partitionKey, KeyType: 'HASH' },
        { AttributeName: tableShape.sortKey, KeyType: 'RANGE' },
      ],
      StreamSpecification: { StreamViewType: tableShape.streamView },
      TimeToLiveSpecification: { AttributeName: tableShape.timeToLive, Enabled: true },
    });
  });

  test.each([
    ['prod', true, 'Retain'],
    ['dev', false, 'Delete'],
  ])('in %s: protection and recovery %s, %s when the stack goes', (stage, keep, policy) => {
    wholeTemplate(stackOf(stage)).hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: policy,
      UpdateReplacePolicy: policy,
      Properties: {
        Replicas: [
          {
            DeletionProtectionEnabled: keep,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          },
        ],
      },
    });
  });
});

describe('stage', () => {
  test.each(['dev', 'prod', 'a', 'pr-1234', 'a234567890123456'])('%s is taken', (stage) => {
    expect(checkedStage(stage)).toBe(stage);
  });

  test.each(['', 'Prod', '1dev', '-a', 'a_b', 'a2345678901234567', 'dev\n', undefined, 7])('%j is refused', (stage) => {
    expect(() => checkedStage(stage)).toThrow('stage must be');
  });

  test('names the stack; the outputs tell where the API and the table are', () => {
    expect(stackOf('pr-7').stackName).toBe('tessera-pr-7');
    expect(Object.keys(dev.findOutputs('*'))).toEqual(['ApiUrl', 'TableName', 'AlarmTopic']);
  });
});

describe('rate limit', () => {
  const limitsIn = (template: Template) =>
    [...resourcesOf(template, 'AWS::Lambda::Function', functionResource).values()].flatMap(
      ({ Properties }) => Properties.Environment.Variables.RATE_LIMIT_PER_MINUTE ?? [],
    );

  test('is told to every function whose callers have an app key, and to no other', () => {
    const limited = operations.filter(([, { authentication }]) => ['server', 'app-key'].includes(authentication));
    expect(limitsIn(dev)).toEqual(limited.map(() => String(defaultRateLimitPerMinute)));
    expect(functionOf(fallback).Environment.Variables).not.toHaveProperty('RATE_LIMIT_PER_MINUTE');
  });

  test('is set at deployment', () => {
    expect(new Set(limitsIn(wholeTemplate(stackOf('dev', { rateLimitPerMinute: 90 }))))).toEqual(new Set(['90']));
    expect([checkedRateLimit('90'), checkedRateLimit(90)]).toEqual([90, 90]);
  });

  test.each(['', '0', -5, 'many', 0.5])('%j is refused', (limit) => {
    expect(() => checkedRateLimit(limit)).toThrow('rateLimitPerMinute must be');
  });
});

import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { deployedOperations } from '../../infra/aws/deployed-functions.ts';
import { deployOptions } from '../../infra/aws/options.ts';
import type { TesseraStackProps } from '../../infra/aws/stack.ts';
import { throttledRoutes } from '../../infra/aws/throttled-routes.ts';
import released from '../support/released-document.json' with { type: 'json' };
import { stackWith } from '../support/stack.ts';
import { templatesOf } from '../support/template.ts';

/** Has each option of a deployment, as a stage has it that sets it. Options that concern the same few resources share a row. */
const switches: Readonly<Record<string, Partial<TesseraStackProps>>> = {
  size: { size: 'small' },
  protection: { protection: false },
  'backup backup-days': { backup: { rhythm: 'daily', days: 7 } },
  gradual: { gradual: false },
  distribution: { distribution: {} },
  'domain certificate web-acl': {
    distribution: {
      domain: 'api.shop.example',
      certificate: 'arn:aws:acm:us-east-1:123456789012:certificate/one',
      webAcl: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/shop/one',
    },
  },
  console: { console: false },
  agents: { agents: 'act' },
  reports: { reports: true },
  without: { leaveOut: ['webhooks', 'files', 'reports'] },
  monitoring: { monitoring: 'full' },
  'dashboard probe own-key': { dashboard: true, probe: true, ownKey: true },
  'management-guard rate burst rate-limit write-quota till-executions': {
    managementGuard: 'keys',
    ...{ rate: 5_000, burst: 5_000, rateLimitPerMinute: 90, writeQuota: 80_000, tillExecutions: 200 },
  },
  'alarm-email ticket-email pager-url budget mail-sender project-metrics event-targets client-address-header': {
    alarmEmail: 'ops@shop.example',
    ticketEmail: 'ops@shop.example',
    pagerUrl: 'https://pager.shop.example/in',
    budget: 50,
    mailSender: 'hello@shop.example',
    projectMetrics: true,
    eventTargets: ['sqs:orders'],
    clientAddressHeader: 'cf-connecting-ip',
  },
  first: { isFirst: true },
};

/** These queues are deleted, and an operator waits until they are empty: docs/operations.md#without. */
const emptiedBefore: Readonly<Record<string, RegExp>> = { without: /^jobs\/queues(events|webhooks)/ };

const resourceShape = v.looseObject({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
  DeletionPolicy: v.optional(v.string()),
});
type Resources = ReadonlyMap<string, v.InferOutput<typeof resourceShape>>;

/** Returns every resource by its template and id, because a resource of another template is a new resource. */
function resourcesOf(options: Partial<TesseraStackProps>): Resources {
  const templates = templatesOf(stackWith({ stage: 'prod', ...options }));
  return new Map(
    [...templates].flatMap(([name, template]) =>
      Object.entries(template.toJSON().Resources).map(
        ([id, one]) => [`${name}/${id}`, v.parse(resourceShape, one)] as const,
      ),
    ),
  );
}

const apiShape = v.object({ Body: v.object({ paths: v.record(v.string(), v.record(v.string(), v.unknown())) }) });
const stageShape = v.object({ ApiId: v.object({ Ref: v.string() }), RouteSettings: v.record(v.string(), v.unknown()) });

function keysOf(api: unknown): Set<string> {
  const { paths } = v.parse(apiShape, api).Body;
  return new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => {
        if (path === '/$default') return '$default';
        return `${method === 'x-amazon-apigateway-any-method' ? 'ANY' : method.toUpperCase()} ${path}`;
      }),
    ),
  );
}

/** Returns each stage of the gateway with the routes that it names. */
const stagesIn = (resources: Resources) =>
  [...resources]
    .filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Stage')
    .map(([id, { Properties }]) => {
      const { ApiId, RouteSettings } = v.parse(stageShape, Properties);
      return { id, apiId: `tessera/${ApiId.Ref}`, named: Object.keys(RouteSettings) };
    });

/**
 * CloudFormation changes an API before its stage. The stage then names the routes of the older template, and the routes
 * of both templates must exist.
 */
function namedWithoutRoute(before: Resources, after: Resources): string[] {
  const named = [...stagesIn(after), ...stagesIn(before).filter(({ id }) => after.has(id))];
  return named.flatMap(({ apiId, named }) => {
    const routes = keysOf(after.get(apiId)?.Properties);
    return named.filter((key) => !routes.has(key)).map((key) => `${apiId}: ${key}`);
  });
}

/** Maps each type that holds data, or an address that callers know, to properties whose change replaces it. */
const replacing: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  'AWS::Backup::BackupVault': ['BackupVaultName', 'EncryptionKeyArn'],
  'AWS::Logs::LogGroup': ['LogGroupName', 'LogGroupClass'],
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
};

/** These lose nothing if an option removes them: the address of one API of several, which only CloudFront calls. */
const removable = new Set(['AWS::ApiGatewayV2::Api']);

function lostBy(before: Resources, after: Resources): string[] {
  return [...before].flatMap(([id, { Type, Properties, DeletionPolicy }]) => {
    const properties = replacing[Type];
    if (properties === undefined) return [];
    const later = after.get(id);
    if (later === undefined)
      return /^Retain/.test(DeletionPolicy ?? '') || (removable.has(Type) && id !== 'tessera/api') ? [] : [id];
    const changed = properties.filter(
      (name) => JSON.stringify(Properties[name]) !== JSON.stringify(later.Properties[name]),
    );
    return changed.map((name) => `${id}: ${name}`);
  });
}

/** These have a name within another resource. */
const namedInside = new Set(['AWS::IAM::Policy', 'AWS::Lambda::Alias', 'AWS::ApiGatewayV2::Stage']);

/** Returns the named resources: the name in the account, with the resource's id. */
function fixedNames(resources: Resources): Map<string, string> {
  return new Map(
    [...resources].flatMap(([id, { Type, Properties }]) => {
      if (namedInside.has(Type)) return [];
      const kind = Type.split('::').at(-1) ?? '';
      const names = ['Name', `${kind}Name`].flatMap((name) => Properties[name] ?? []);
      return names.map((name) => [`${Type} ${JSON.stringify(name)}`, id] as const);
    }),
  );
}

const plain = resourcesOf({});

test('every option of a deployment is switched here', () => {
  const names = Object.keys(deployOptions).filter((name) => name !== 'stage' && name !== 'stages');
  const switched = Object.keys(switches).flatMap((row) => row.split(' '));
  expect(switched.toSorted()).toEqual([...names, 'first'].toSorted());
});

describe.each(Object.entries(switches))('%s', (row, options) => {
  test('is switched on and off without a setting of a missing route, and replaces nothing that holds data', () => {
    const chosen = resourcesOf(options);
    expect(namedWithoutRoute(plain, chosen)).toEqual([]);
    expect(namedWithoutRoute(chosen, plain)).toEqual([]);
    expect(lostBy(plain, chosen).filter((id) => !emptiedBefore[row]?.test(id))).toEqual([]);
    expect(lostBy(chosen, plain)).toEqual([]);
    // A resource that stays keeps its name, so the option could not be switched on again.
    const stays = [...fixedNames(chosen)].filter(
      ([, id]) => !plain.has(id) && /^Retain/.test(chosen.get(id)?.DeletionPolicy ?? ''),
    );
    expect(stays).toEqual([]);
  });
});

test('two stages of an account share no name, with every option', () => {
  const all = Object.assign({}, ...Object.values(switches), { console: true, leaveOut: [], isFirst: false });
  const names = fixedNames(resourcesOf({ ...all, stage: 'prod' }));
  const others = fixedNames(resourcesOf({ ...all, stage: 'live' }));
  expect(names.size).toBeGreaterThan(5);
  expect([...names.keys()].filter((name) => others.has(name))).toEqual([]);
});

describe('a release', () => {
  const family = (name: string) => deployedOperations.filter((one) => one.family === name);

  test('with a new path of a till is rolled back without a setting of a missing route', () => {
    const [first] = family('validations');
    if (!first) throw new Error('nothing validates');
    const added = { ...first, name: 'validate-gifts', route: { ...first.route, path: '/v1/gifts/validations' } };
    const after = resourcesOf({ operations: [...deployedOperations, added] });
    expect(keysOf(after.get('tessera/api')?.Properties)).toContain('POST /v1/gifts/validations');
    expect(namedWithoutRoute(after, plain)).toEqual([]);
  });

  test('without a family of operations keeps the routes that the stage of the release before names', () => {
    const without = resourcesOf({ operations: deployedOperations.filter((one) => one.family !== 'loyalties') });
    expect(namedWithoutRoute(plain, without)).toEqual([]);
    expect(namedWithoutRoute(without, plain)).toEqual([]);
  });

  test('names only routes that the release before has too', () => {
    const ofService = [...throttledRoutes.keys()].filter((key) => /^\w+ \/(v1|client)\//.test(key));
    const before = Object.keys(released).map((name) => name.replace(/^\S+ /, ''));
    const own = ['OPTIONS /client/v1/{path+}'];
    expect(ofService.filter((key) => !before.includes(key) && !own.includes(key))).toEqual([]);
  });
});

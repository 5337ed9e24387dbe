import type { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { type DeployedOperation, deployedOperations } from '../../infra/aws/deployed-functions.ts';
import { divideRoutes } from '../../infra/aws/gateway-parts.ts';
import type { GatewayRoute, GatewayTarget } from '../../infra/aws/gateway-route.ts';
import { checkApis, checkReferences, limits } from '../../infra/aws/limits.ts';
import type { TesseraStack } from '../../infra/aws/stack.ts';
import { throttledRoutes } from '../../infra/aws/throttled-routes.ts';
import { stackWith } from '../support/stack.ts';
import { resourcesIn, templatesOf, wholeTemplate } from '../support/template.ts';

const count = 330;

/** Returns as many operations as a later release may have: three families for each of today's. */
function manyOperations(): DeployedOperation[] {
  return Array.from({ length: count }, (_, index): DeployedOperation => {
    const copy = Math.floor(index / deployedOperations.length);
    const one = deployedOperations[index % deployedOperations.length];
    if (!one) throw new Error('the folder has no operations');
    const path = one.route.path.replace(/^(?:\/(?:v1|client|management))+\/[^/]+/, `$&-${index % 3}/${copy}`);
    return {
      ...one,
      family: `${one.family}-${index % 3}`,
      name: `${one.name}-${index}`,
      route: { ...one.route, path },
    };
  });
}

describe(`${count} operations behind one address`, () => {
  let stack: TesseraStack;
  let templates: Map<string, Template>;
  let whole: Template;

  beforeAll(() => {
    stack = stackWith({
      operations: manyOperations(),
      stage: 'live',
      distribution: {
        domain: 'api.shop.example',
        certificate: 'arn:aws:acm:us-east-1:123456789012:certificate/one',
        webAcl: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/shop/one',
      },
      alarmEmail: 'ops@shop.example',
      mailSender: 'hello@shop.example',
    });
    templates = templatesOf(stack);
    whole = wholeTemplate(stack);
  });

  test('synthesise without passing a limit', () => {
    expect(stack.node.validate()).toEqual([]);
  });

  test("leave the root below 250 resources, and other stacks far below CloudFormation's 500", () => {
    const sizes = new Map([...templates].map(([name, one]) => [name, Object.keys(one.toJSON().Resources).length]));
    expect(sizes.get('tessera')).toBeLessThan(250);
    for (const size of sizes.values()) expect(size).toBeLessThan(400);
  });

  test("keep every template below CloudFormation's megabyte", () => {
    for (const one of templates.values()) expect(JSON.stringify(one.toJSON()).length).toBeLessThan(900_000);
  });

  test('know the secret of the distribution, and no template has more than 60 references to it', () => {
    for (const [name, one] of templates) {
      expect(checkReferences(name, JSON.stringify(one.toJSON()))).toEqual([]);
    }
    const told = Object.values(resourcesIn(whole, 'AWS::Lambda::Function')).filter(({ Properties }) =>
      JSON.stringify(Properties.Environment.Variables.DISTRIBUTION_PROOF ?? '').includes('resolve:secretsmanager'),
    );
    expect(told.length).toBeGreaterThan(count / 2);
  });

  test('have at most 40 alarms, and filters within the limits of CloudWatch', () => {
    expect(Object.keys(resourcesIn(whole, 'AWS::CloudWatch::Alarm')).length).toBeLessThanOrEqual(40);
    const filters = Object.values(resourcesIn(whole, 'AWS::Logs::MetricFilter'));
    expect(filters.length).toBeLessThan(100);
    for (const { Properties } of filters) expect(Properties.FilterPattern.length).toBeLessThanOrEqual(1_024);
  });

  test('give each API the paths that the distribution sends it, and the route for unknown paths', () => {
    const [distribution] = Object.values(resourcesIn(whole, 'AWS::CloudFront::Distribution'));
    const { CacheBehaviors, DefaultCacheBehavior, Origins } = distribution?.Properties.DistributionConfig ?? {};
    const apis = Object.entries(resourcesIn(whole, 'AWS::ApiGatewayV2::Api'));
    expect(apis.map(([id]) => id).toSorted()).toEqual(['api', 'clientapi', 'managementapi', 'ownapi']);
    const targetOf = (path: string): string => {
      const fits = ({ PathPattern }: { PathPattern: string }) =>
        new RegExp(`^${PathPattern.replaceAll('*', '.*')}$`).test(path);
      return (CacheBehaviors.find(fits) ?? DefaultCacheBehavior).TargetOriginId;
    };
    for (const [id, { Properties }] of apis) {
      const paths = Object.keys(Properties.Body.paths);
      expect(paths).toContain('/$default');
      expect(paths.length).toBeLessThanOrEqual(limits.routes);
      const [origin] = Origins.filter((one: unknown) => JSON.stringify(one).includes(`"${id}"`));
      // The first API keeps the paths whose throttles its stage names, also those that lead elsewhere.
      const kept = id === 'api' ? [...throttledRoutes.keys()].map((key) => key.split(' ')[1]) : [];
      for (const path of paths.filter((one) => one !== '/$default' && !kept.includes(one)))
        expect([path, targetOf(path)]).toEqual([path, origin.Id]);
    }
  });

  test('cache no reply and no error of an API, because the next caller has other credentials', () => {
    const [distribution] = Object.values(resourcesIn(whole, 'AWS::CloudFront::Distribution'));
    const { CacheBehaviors, DefaultCacheBehavior, CustomErrorResponses } =
      distribution?.Properties.DistributionConfig ?? {};
    const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
    for (const { PathPattern, CachePolicyId } of [DefaultCacheBehavior, ...CacheBehaviors]) {
      expect([PathPattern, CachePolicyId]).toEqual([PathPattern, cachingDisabled]);
    }
    const statuses = CustomErrorResponses.map(({ ErrorCode }: { ErrorCode: number }) => ErrorCode);
    expect(statuses).toEqual([400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]);
    for (const one of CustomErrorResponses) expect(one.ErrorCachingMinTTL).toBe(0);
  });

  test("put the domain into ApiUrl, and give calls with IAM signatures their API's own address", () => {
    expect(whole.findOutputs('ApiUrl').ApiUrl?.Value).toBe('https://api.shop.example');
    expect(Object.keys(whole.findOutputs('*'))).toEqual(
      expect.arrayContaining(['DistributionDomain', 'ManagementUrl']),
    );
  });
});

test('a large family gets the secret of the distribution once, as a parameter that is not shown', () => {
  const operations = deployedOperations.filter(
    ({ family }) => family === 'loyalties' || /^(redemp|valid)/.test(family),
  );
  const templates = templatesOf(stackWith({ stage: 'prod', distribution: {}, operations }));
  const loyalties = templates.get('loyalties-functions');
  expect(loyalties?.findParameters('DistributionProof')).toMatchObject({
    DistributionProof: { Type: 'String', NoEcho: true },
  });
  const text = JSON.stringify(loyalties?.toJSON());
  expect(text).not.toContain('{{resolve:');
  expect(text.split('"DISTRIBUTION_PROOF":{"Ref":"DistributionProof"}').length - 1).toBeGreaterThan(50);
});

describe('limits', () => {
  const target = (name: string, ...routes: Partial<GatewayRoute>[]): GatewayTarget => ({
    name,
    invokedArn: name,
    invoker: Object(undefined),
    routes: routes.map((route) => ({ method: 'GET', path: '/', isPublic: false, ...route })),
  });
  const unknown = target('docs', { path: '/docs' }, { path: '/', isDefault: true });
  const many = (family: string, length: number) =>
    Array.from({ length }, (_, index) => target(`${family}-${index}`, { path: `/v1/${family}/${index}` }));

  test.each([
    ['dev', 'off'],
    ['dev', 'on'],
    ['prod', 'off'],
    ['prod', 'on'],
  ] as const)(
    "an API of %s has a reserve of 40 routes beside today's operations, with the distribution %s",
    (stage, distribution) => {
      // Tools for agents, the console and reports need the most routes.
      const most = { agents: 'act', console: true, reports: true } as const;
      const chosen = stackWith({ stage, ...most, ...(distribution === 'on' ? { distribution: {} } : {}) });
      expect(chosen.node.validate()).toEqual([]);
      const apis = Object.values(resourcesIn(wholeTemplate(chosen), 'AWS::ApiGatewayV2::Api'));
      expect(apis.length).toBe(distribution === 'on' ? 4 : 1);
      for (const { Properties } of apis) {
        const { paths, components } = Properties.Body;
        const routes = Object.values(paths).flatMap((methods) => Object.keys(Object(methods)));
        expect(routes.length).toBeLessThanOrEqual(300 - 40);
        expect(Object.keys(components['x-amazon-apigateway-integrations']).length).toBeLessThanOrEqual(300 - 40);
      }
    },
  );

  test('an API with more than 300 integrations is refused at synthesis, with the limit and the remedy', () => {
    const targets = [...many('orders', 300), unknown];
    const faults = checkApis([{ id: 'api', beginnings: [], targets }], false);
    expect(faults[0]).toMatch(/301 integrations: 300 are the limit.*--distribution on/);
    expect(faults[1]).toMatch(/302 routes: 300 are the limit/);
  });

  test('a template with more than 60 dynamic references is refused, with the limit and the remedy', () => {
    const references = (length: number) => Array.from({ length }, () => '{{resolve:secretsmanager:one}}').join(' ');
    expect(checkReferences('orders', references(60))).toEqual([]);
    expect(checkReferences('orders', references(61))[0]).toMatch(
      /orders has 61 dynamic references: 60 are the limit.*parameter/,
    );
  });

  test('a family that is too large for an API moves to another API, and its longer path is matched first', () => {
    const parts = divideRoutes([...many('loyalties', 250), ...many('orders', 200), ...many('skus', 90), unknown]);
    expect(parts.map(({ id, beginnings }) => [id, beginnings])).toEqual([
      ['api-2', ['/v1/loyalties']],
      ['api', ['/v1']],
      ['own-api', []],
    ]);
    expect(checkApis(parts, true)).toEqual([]);
    expect(parts.flatMap(({ targets }) => targets).length).toBe(250 + 200 + 90 + 3);
  });

  test('a single family of more than 300 routes is refused, divided or not', () => {
    expect(checkApis(divideRoutes([...many('orders', 320), unknown]), true)[0]).toContain('321 integrations');
  });
});

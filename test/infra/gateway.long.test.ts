import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { type DeployedOperation, deployedOperations } from '../../infra/aws/deployed-functions.ts';
import type { TesseraStack } from '../../infra/aws/stack.ts';
import { consolePaths } from '../../infra/console/handler.ts';
import { deployed, gatewayOf, idOf, resourcesOf, stackWith } from '../support/stack.ts';
import { wholeTemplate } from '../support/template.ts';

const keyOf = ({ route }: DeployedOperation) => `${route.method} ${route.path}`;
/** All operations of management share one function and one route. */
const managementKey = 'ANY /management/v1/{proxy+}';
const managed = deployedOperations.filter(({ route }) => route.authentication === 'management');
const others = deployedOperations.filter((one) => !managed.includes(one));
const functionOf = (integration: string) => (integration === 'management' ? 'list-projects' : integration);
/** Lists the routes of the functions that serve docs and console, and that answer unknown paths. */
const docsKeys = [...consolePaths.map((path) => `ANY ${path}`), '$default'];
const preflightKey = 'OPTIONS /client/v1/{path+}';
/** Lists the routes that belong to no operation. The path of agents exists in each stage: its throttle names it. */
const ownKeys = [...docsKeys, preflightKey, 'ANY /mcp'];

let stack: TesseraStack;
let template: Template;
let gateway: ReturnType<typeof gatewayOf>;

function functionIdOf(name: string): string {
  const lambda = stack.endpoints.get(name);
  if (!lambda) throw new Error(`${name} is not in the stack`);
  return idOf(lambda);
}

beforeAll(() => {
  ({ stack, template } = deployed());
  gateway = gatewayOf(template);
});

describe('routes', () => {
  test('are one for each operation and each path of the console, and one for all operations of management', () => {
    expect(managed.every(({ route }) => route.path.startsWith('/management/v1/'))).toBe(true);
    const expected = [...others.map(keyOf), managementKey, ...ownKeys];
    expect(gateway.routes.map(({ key }) => key).sort()).toEqual(expected.sort());
  });

  test("lead to their operation's function, with payload version 2.0", () => {
    for (const { key, integration } of gateway.routes) {
      const { uri, payloadFormatVersion } = gateway.integrations[integration] ?? {};
      expect(payloadFormatVersion).toBe('2.0');
      expect([key, JSON.stringify(uri)]).toEqual([
        key,
        expect.stringContaining(`"${functionIdOf(functionOf(integration))}"`),
      ]);
    }
    for (const operation of others) {
      expect(gateway.routes).toContainEqual(
        expect.objectContaining({ key: keyOf(operation), integration: operation.name }),
      );
    }
    expect(gateway.routes).toContainEqual(expect.objectContaining({ key: managementKey, integration: 'management' }));
    for (const { name } of managed) expect([name, functionIdOf(name)]).toEqual([name, functionIdOf('list-projects')]);
  });

  test('name the parameters of their paths', () => {
    for (const { key, parameters } of gateway.routes) {
      expect(parameters).toEqual([...key.matchAll(/\{(\w+\+?)\}/g)].map(([, name]) => name));
    }
  });

  test("are invoked by their family's role, which may invoke its functions and nothing else", () => {
    const policies = resourcesOf(
      template,
      'AWS::IAM::Policy',
      v.object({
        Properties: v.object({
          Roles: v.array(v.object({ Ref: v.string() })),
          PolicyDocument: v.object({
            Statement: v.array(
              v.object({ Action: v.unknown(), Resource: v.unknown(), Effect: v.picklist(['Allow', 'Deny']) }),
            ),
          }),
        }),
      }),
    );
    const byRole = Map.groupBy(
      Object.entries(gateway.integrations),
      ([, { credentials }]) => credentials['Fn::GetAtt'][0],
    );
    expect(byRole.size).toBe(new Set(deployedOperations.map(({ family }) => family)).size + 1);
    for (const [role, members] of byRole) {
      const arns = members.map(([name]) => ({ 'Fn::GetAtt': [functionIdOf(functionOf(name)), 'Arn'] }));
      const own = [...policies.values()].filter(({ Properties }) => Properties.Roles.some(({ Ref }) => Ref === role));
      expect(own.flatMap(({ Properties }) => Properties.PolicyDocument.Statement)).toEqual([
        { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: arns.length === 1 ? arns[0] : arns },
      ]);
    }
  });
});

test('a warning of the import stops every deployment but the first', () => {
  const operations = deployedOperations.filter(({ family }) => /^(redemp|valid|qualif)/.test(family));
  template.hasResourceProperties('AWS::ApiGatewayV2::Api', { FailOnWarnings: true });
  const first = wholeTemplate(stackWith({ stage: 'dev', operations, isFirst: true }));
  first.hasResourceProperties('AWS::ApiGatewayV2::Api', { FailOnWarnings: false });
});

describe('paths open to anyone', () => {
  test('take only a few of the executions that all functions share', () => {
    const { stack: prod, template: ofProd } = deployed('full');
    const whole = ofProd.findResources('AWS::Lambda::Function');
    for (const [name, lambda] of prod.endpoints) {
      const isOpen =
        ['docs', 'console', 'preflights', 'mcp'].includes(name) ||
        deployedOperations.some((one) => one.name === name && one.route.authentication === 'none');
      const ceiling = whole[idOf(lambda)]?.Properties.ReservedConcurrentExecutions;
      expect([name, ceiling === 5]).toEqual([name, isOpen]);
    }
  });
});

describe('no management path is open', () => {
  const isManagement = ({ key }: { key: string }) => key.includes(' /management/');
  const guardsIn = (whole: Template) =>
    Object.values(whole.findResources('AWS::Lambda::Function')).flatMap(
      ({ Properties }) => Properties.Environment.Variables.MANAGEMENT_GUARD ?? [],
    );

  test('exactly one route leads to the operations of management', () => {
    expect(managed.length).toBeGreaterThan(0);
    expect(gateway.routes.filter(isManagement).map(({ key }) => key)).toEqual([managementKey]);
  });

  test('by default IAM guards exactly this route, and the function relies on the gateway', () => {
    for (const route of gateway.routes) expect([route.key, route.iam]).toEqual([route.key, isManagement(route)]);
    expect(gateway.body.components.securitySchemes.iam).toMatchObject({ 'x-amazon-apigateway-authtype': 'awsSigv4' });
    expect(guardsIn(template)).toEqual(['iam']);
  });

  test('with keys as guard, the function of management asks for a key', () => {
    const { template: whole } = deployed('full');
    expect(gatewayOf(whole).routes.filter(({ iam }) => iam)).toEqual([]);
    expect(guardsIn(whole)).toEqual(['keys']);
    // API Gateway warns of a scheme that no route uses.
    expect(gatewayOf(whole).body.components.securitySchemes).toEqual({});
  });
});

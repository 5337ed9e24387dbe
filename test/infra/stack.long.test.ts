import { isDeepStrictEqual } from 'node:util';
import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultRateLimitPerMinute } from '#kernel/http/rate-limit.ts';
import type { Route } from '#kernel/http/route.ts';
import { queueNames } from '#kernel/kit/jobs/queues.ts';
import { deployedOperations, listFunctions } from '../../infra/aws/deployed-functions.ts';
import type { TesseraStack } from '../../infra/aws/stack.ts';
import { fileActionFor } from '../support/permissions.ts';
import { deployed, idOf, resourcesOf, stackWith } from '../support/stack.ts';
import { resourcesIn } from '../support/template.ts';

/** Lists the functions of operations. All operations of management share one function. */
const deployedFunctions = listFunctions(deployedOperations, 'iam');
const alone = deployedOperations.filter(({ family }) => family !== 'management');

/** Also counts the stream's two readers, the workers of due items and logs, docs, console and preflights. */
const functionCount = alone.length + 1 + queueNames.length + 7;

const reference = v.object({ Ref: v.string() });
const attribute = v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) });
/** CloudFormation also accepts a list of one element without its brackets. */
const listOf = <S extends v.GenericSchema>(one: S) =>
  v.union([
    v.array(one),
    v.pipe(
      one,
      v.transform((alone) => [alone]),
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
          Effect: v.picklist(['Allow', 'Deny']),
          Action: listOf(v.string()),
          Resource: listOf(v.union([v.literal('*'), v.record(v.string(), v.unknown())])),
          Condition: v.optional(v.unknown()),
        }),
      ),
    }),
  }),
});
const roleResource = v.object({
  Properties: v.object({ ManagedPolicyArns: v.optional(v.never()), Policies: v.optional(v.never()) }),
});

type Statement = v.InferOutput<typeof policyResource>['Properties']['PolicyDocument']['Statement'][number];

let stack: TesseraStack;
let dev: Template;
let functions: ReadonlyMap<string, v.InferOutput<typeof functionResource>>;
/** Maps the role's id to its statements. */
let statements: ReadonlyMap<string, readonly Statement[]>;
let namesByRole: ReadonlyMap<string, readonly string[]>;
let tableId: string | undefined;
let bucketId: string | undefined;

function functionOf(name: string) {
  const lambda = stack.endpoints.get(name);
  if (lambda === undefined) throw new Error(`${name} is not in the stack`);
  const resource = functions.get(idOf(lambda));
  if (resource === undefined) throw new Error(`${name} is not in the template`);
  return resource.Properties;
}

const roleOf = (name: string) => functionOf(name).Role['Fn::GetAtt'][0];

function statementsOf(name: string) {
  return statements.get(roleOf(name)) ?? [];
}

/** Names the operations whose functions share this endpoint's role, itself included, in the order of the stack. */
const namesWithRoleOf = (name: string) => namesByRole.get(roleOf(name)) ?? [];

const onlyOf = (keys: readonly string[] | undefined) =>
  keys && {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };

/** Returns keys that functions without other writes still count: browser calls, and calls of a project's till. */
function countedBy({ method, path, access, authentication }: Route): readonly string[] {
  if (access === 'write') return [];
  const isTill = method === 'POST' && path.endsWith('/qualifications');
  return [...(authentication === 'client' ? ['*#PAGE_CALLS#*'] : []), ...(isTill ? ['*#TILL_BUCKET#*'] : [])];
}

beforeAll(() => {
  ({ stack, template: dev } = deployed());
  functions = resourcesOf(dev, 'AWS::Lambda::Function', functionResource);
  const ofRoles = [...resourcesOf(dev, 'AWS::IAM::Policy', policyResource).values()].flatMap(({ Properties }) =>
    Properties.Roles.flatMap(({ Ref }) =>
      // test/infra/credentials.long.test.ts checks the keys that are closed to all roles.
      Properties.PolicyDocument.Statement.filter(({ Effect }) => Effect === 'Allow').map((statement) => ({
        Ref,
        statement,
      })),
    ),
  );
  const byRole = Map.groupBy(ofRoles, ({ Ref }) => Ref);
  statements = new Map([...byRole].map(([role, some]) => [role, some.map(({ statement }) => statement)]));
  namesByRole = Map.groupBy(stack.endpoints.keys(), roleOf);
  [tableId] = Object.keys(resourcesIn(dev, 'AWS::DynamoDB::GlobalTable'));
  [bucketId] = Object.keys(resourcesIn(dev, 'AWS::S3::Bucket'));
});

describe.each(deployedFunctions)('the function $name', ({ grant, operations }) => {
  const [{ name = '' } = {}] = operations;
  const routes = operations.map(({ route }) => route);
  const files = [...new Set(routes.flatMap((route) => route.files ?? []))];
  const isWriting = routes.some(({ access }) => access === 'write');
  const counted = isWriting ? [] : routes.flatMap(countedBy);

  test('runs on Node.js 24 on arm64 and knows the table', () => {
    const { Runtime, Architectures, Environment } = functionOf(name);
    expect({ Runtime, Architectures }).toEqual({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    expect(Environment.Variables).toMatchObject({ TABLE_NAME: { Ref: tableId } });
  });

  test('changes the table only if its route says that it writes', () => {
    const writes = statementsOf(name)
      .filter(({ Condition }) => !isDeepStrictEqual(Condition, onlyOf(counted)))
      .flatMap(({ Action }) => Action)
      .filter((action) => /^dynamodb:(?!BatchGetItem$|GetItem$|Query$)/.test(action));
    expect(writes.length > 0).toBe(isWriting);
  });

  test('has no rights beyond the table, its log, its traces, and the files of its route', () => {
    const granted = statementsOf(name).flatMap(({ Action }) => Action);
    const others = granted.filter((action) => !/^(dynamodb|logs|xray):/.test(action));
    const ofFiles = [...new Set(files.map((right) => fileActionFor(right).split(' ')[0]))];
    expect([...new Set(others)]).toEqual(ofFiles);
  });

  test('reaches only the table, its indexes, the logs of functions with its role, traces and files', () => {
    const tableArn = { 'Fn::GetAtt': [tableId, 'Arn'] };
    const logGroups = new Set(namesWithRoleOf(name).map((one) => functionOf(one).LoggingConfig.LogGroup.Ref));
    const indexes = (grant.indexes ?? []).map((index) => ({
      'Fn::Join': ['', [tableArn, `/index/${index}`]],
    }));
    const resourcesOfService: Readonly<Record<string, unknown>> = {
      logs: [...logGroups].map((logGroup) => ({ 'Fn::GetAtt': [logGroup, 'Arn'] })),
      dynamodb: [tableArn, ...indexes],
      xray: ['*'],
    };
    const isCount = ({ Condition }: { Condition?: unknown }) => isDeepStrictEqual(Condition, onlyOf(counted));
    const counts = statementsOf(name).filter(isCount);
    const mayCount = [{ Action: ['dynamodb:UpdateItem'], Resource: [tableArn] }];
    expect(counts).toMatchObject(counted.length > 0 ? mayCount : []);
    const others = statementsOf(name).filter((statement) => !isCount(statement));
    for (const { Action, Resource, Condition } of others) {
      const services = new Set(Action.map((action) => action.split(':')[0] ?? ''));
      expect(services.size).toBe(1);
      if (services.has('s3')) {
        const areas = files.map((right) => fileActionFor(right).split(' ')[1]);
        const reached = areas.map((area) => [{ 'Fn::Join': ['', [{ 'Fn::GetAtt': [bucketId, 'Arn'] }, area]] }]);
        expect(reached).toContainEqual(Resource);
      } else for (const service of services) expect(Resource).toEqual(resourcesOfService[service]);
      expect(Condition).toEqual(services.has('dynamodb') ? onlyOf(grant.keys) : undefined);
    }
  });
});

describe('permissions', () => {
  test('every function has a log group of its own', () => {
    const all = [...functions.values()];
    expect(all).toHaveLength(functionCount);
    expect(new Set(all.map(({ Properties }) => Properties.LoggingConfig.LogGroup.Ref)).size).toBe(all.length);
  });

  test('functions share a role only within a family, with equal rights to the table and to files', () => {
    const shared = [...namesByRole.values()].map((names) =>
      deployedFunctions
        .filter(({ operations }) => operations.some(({ name }) => names.includes(name)))
        .map(({ family, grant, files = [] }) => JSON.stringify([family, grant, files])),
    );
    for (const rights of shared) expect(new Set(rights).size).toBeLessThanOrEqual(1);
  });

  test("every role's policy stays within IAM's limit, for the longest names of CloudFormation", () => {
    // A stack's name has up to 128 characters and begins a log group's ARN. A function's name has 64.
    const lengthOf = (id: string) => (id.includes('loggroup') ? 255 : 130);
    const sizes = [...resourcesOf(dev, 'AWS::IAM::Policy', policyResource).values()].map(({ Properties }) =>
      JSON.stringify(Properties.PolicyDocument).replace(
        /\{"(?:Fn::GetAtt":\["(\w+)","\w+"\]|Ref":"([\w:]+)")\}/g,
        (_, id, name) => 'x'.repeat(lengthOf(id ?? name)),
      ),
    );
    for (const size of sizes) expect(size.length).toBeLessThan(10_240);
  });

  test('a stage has less than a seventh of the roles of an account', () => {
    expect(resourcesIn(dev, 'AWS::IAM::Role')).toSatisfy((roles: object) => Object.keys(roles).length < 140);
  });

  test('no action has a wildcard and no role a managed policy', () => {
    const policies = [...resourcesOf(dev, 'AWS::IAM::Policy', policyResource).values()];
    const granted = policies.flatMap(({ Properties }) =>
      Properties.PolicyDocument.Statement.flatMap(({ Action }) => Action),
    );
    expect(granted.length).toBeGreaterThan(0);
    expect(granted.filter((action) => action.includes('*'))).toEqual([]);
    expect(resourcesOf(dev, 'AWS::IAM::Role', roleResource).size).toBeGreaterThan(0);
  });
});

test.each(['docs', 'console', 'preflights'])('the function of the %s may write its log and do nothing else', (name) => {
  expect(
    statementsOf(name)
      .flatMap(({ Action }) => Action)
      .sort(),
  ).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents', 'xray:PutTelemetryRecords', 'xray:PutTraceSegments']);
});

test('the stage names the stack, and the outputs name the API, the table and the files', () => {
  expect(stackWith({ stage: 'pr-7' }).stackName).toBe('tessera-pr-7');
  expect(Object.keys(dev.findOutputs('*'))).toEqual([
    'ApiUrl',
    'TableName',
    'FilesBucket',
    'AlarmTopic',
    'TicketTopic',
  ]);
});

test('exactly the functions for callers with a key or for management have the rate limit of the deployment', () => {
  const limited = deployedFunctions.filter(({ operations }) =>
    operations.every(({ route }) => route.authentication !== 'none'),
  );
  const limitsIn = (template: Template) =>
    [...resourcesOf(template, 'AWS::Lambda::Function', functionResource).values()].flatMap(
      ({ Properties }) => Properties.Environment.Variables.RATE_LIMIT_PER_MINUTE ?? [],
    );
  expect(limitsIn(dev)).toEqual(limited.map(() => String(defaultRateLimitPerMinute)));
  expect(limitsIn(deployed('full').template)).toEqual(limited.map(() => '90'));
});

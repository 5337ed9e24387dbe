import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TesseraStack } from '../../infra/aws/stack.ts';
import { fileActionsOf, statementsOf } from '../support/iam.ts';
import { deployed, gatewayOf, idOf, stackWith } from '../support/stack.ts';
import { resourcesIn, wholeTemplate } from '../support/template.ts';

/** The paths of each add-on that a stage may leave out, as docs/operations.md#without lists them. */
const pathsOf = {
  webhooks: /^\/management\/v1\/projects\/\{projectId\}\/webhook(s|-secret)(\/|$)/,
  files: /^\/v1\/(exports(\/|$)|.*\/(import|importCSV|bulk\/async|metadata\/async)$)/,
  reports: /^\/v1\/reports(\/|$)/,
};

type Resource = { Type: string; Properties?: Record<string, unknown>; DependsOn?: string | string[] };

const resourcesOf = (template: Template): Record<string, Resource> => template.toJSON().Resources;

function idsOf(template: Template, type: string): string[] {
  return Object.keys(resourcesIn(template, type)).sort();
}

/** Yields the ids that a value names. */
function* namedIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'Ref' && typeof inner === 'string') yield inner;
    else if (key === 'Fn::GetAtt') yield String([inner].flat()[0]).split('.')[0] ?? '';
    else if (key === 'DependsOn') yield* [inner].flat().map(String);
    else yield* namedIn(inner);
  }
}

/** Lists what resources and outputs refer to although it does not exist. */
function missingIn(template: Template): string[] {
  const { Resources, Outputs } = template.toJSON();
  const named = new Set(namedIn({ Resources, Outputs }));
  return [...named].filter((id) => !id.startsWith('AWS::') && !Object.hasOwn(Resources, id));
}

/** Lists what any role may do to which area of files. */
function fileRightsIn(template: Template): string[] {
  const rights = Object.values(resourcesIn(template, 'AWS::IAM::Policy')).flatMap(({ Properties }) =>
    Properties.PolicyDocument.Statement.flatMap(({ Action, Resource }: { Action: unknown; Resource: unknown }) => {
      const [, area] = /"\/([a-z]+)\/\*"/.exec(JSON.stringify(Resource)) ?? [];
      return area === undefined ? [] : [Action].flat().map((action) => `${action} ${area}`);
    }),
  );
  return [...new Set<string>(rights)].sort();
}

const pathsIn = (template: Template) => [...new Set(gatewayOf(template).routes.map(({ key }) => key))].sort();
const environmentOf = (template: Template, id: string) =>
  resourcesOf(template)[id]?.Properties?.Environment as { Variables: Record<string, unknown> } | undefined;

let plain: { stack: TesseraStack; template: Template };

beforeAll(() => {
  plain = deployed('plain');
});

test('the whole stage refers to nothing that is missing, so the same check of other stages says something', () => {
  expect(missingIn(plain.template)).toEqual([]);
  expect(missingIn(Template.fromJSON({ Resources: { a: { Type: 'A', Properties: { Ref: 'b' } } } }))).toEqual(['b']);
});

describe.each(['webhooks', 'files', 'reports'] as const)('a stage without %s', (name) => {
  let stack: TesseraStack;
  let template: Template;
  const isOf = (path: string) => pathsOf[name].test(path);

  beforeAll(() => {
    stack = stackWith({ stage: 'dev', leaveOut: [name] });
    template = wholeTemplate(stack);
  });

  test('lacks exactly the functions and routes of the add-on', () => {
    const pathOf = (key: string) => key.split(' ')[1] ?? key;
    const before = pathsIn(plain.template);
    expect(pathsIn(template)).toEqual(before.filter((key) => !isOf(pathOf(key))));
    // The operations of management share one function and one route.
    if (name !== 'webhooks') expect(before.filter((key) => isOf(pathOf(key)))).not.toEqual([]);
    const names = [...plain.stack.endpoints.keys()].filter((one) => !stack.endpoints.has(one));
    expect(names.length).toBeGreaterThan(0);
    if (name === 'webhooks')
      expect(names).toEqual([...plain.stack.endpoints.keys()].filter((one) => one.includes(name.slice(0, -1))));
    const functions = idsOf(template, 'AWS::Lambda::Function');
    for (const lambda of stack.endpoints.values()) expect(functions).toContain(idOf(lambda));
    const all = idsOf(plain.template, 'AWS::Lambda::Function');
    const gone = name === 'webhooks' ? 2 : names.length;
    expect(all).toEqual(expect.arrayContaining(functions));
    expect(functions).toHaveLength(all.length - gone);
  });

  test('refers to nothing that is missing, and has nothing that a whole stage lacks', () => {
    expect(missingIn(template)).toEqual([]);
    const types = (of: Template) => Object.entries(resourcesOf(of)).map(([id, { Type }]) => `${Type} ${id}`);
    // A role is named after its rights, which are fewer now, and an alarm watches another family instead.
    const made = /^AWS::(Lambda|SQS|S3|Events|DynamoDB|KinesisFirehose|Athena|Glue|SNS)::/;
    expect(types(plain.template)).toEqual(expect.arrayContaining(types(template).filter((one) => made.test(one))));
    const family = { webhooks: 'webhooks', files: 'exports', reports: 'reports' }[name];
    expect(types(template).filter((one) => one.includes(`${family}family`))).toEqual([]);
  });

  test('has queues and workers only for what is left', () => {
    const gone = idsOf(plain.template, 'AWS::SQS::Queue').filter(
      (id) => !idsOf(template, 'AWS::SQS::Queue').includes(id),
    );
    // All queues share one queue of dead letters.
    const classes = gone.map((id) => /(events|webhooks)(deadletters)?/.exec(id)?.[0]).sort();
    expect(classes).toEqual(name === 'webhooks' ? ['events', 'webhooks'] : []);
    const workers = Object.keys(stack.jobQueues.workers).sort();
    const kept = ['bulk', 'exports', 'generation', 'mail', 'segments'];
    expect(workers).toEqual(name === 'webhooks' ? kept : [...kept, 'events', 'webhooks'].sort());
    for (const worker of Object.values(stack.jobQueues.workers)) {
      const variables = Object.keys(environmentOf(template, idOf(worker))?.Variables ?? {});
      expect(variables.filter((one) => one.endsWith('_QUEUE_URL'))).toHaveLength(workers.length);
    }
  });

  test('tells the workers, the shared function and the docs what they must leave alone', () => {
    const { workers } = stack.jobQueues;
    const shared = stack.endpoints.get('get-project');
    const docs = stack.endpoints.get('docs');
    if (!shared || !docs) throw new Error('the stage has management and docs');
    const told = [...Object.values(workers), stack.streamWorker.function, stack.dueWorker.function, shared, docs];
    for (const one of told) expect(environmentOf(template, idOf(one))?.Variables.LEFT_OUT).toBe(name);
    expect(JSON.stringify(plain.template.toJSON())).not.toContain('LEFT_OUT');
  });

  test('grants no rights that only the add-on needs', () => {
    const only: Record<typeof name, string[]> = {
      webhooks: ['s3:PutObject events'],
      files: ['s3:GetObject uploads', 's3:PutObject rows', 's3:PutObject uploads'],
      reports: [],
    };
    expect(fileRightsIn(plain.template)).toEqual(expect.arrayContaining(only[name]));
    expect(fileRightsIn(template).filter((right) => only[name].includes(right))).toEqual([]);
    const filesOf = (worker: 'bulk' | 'exports') => fileActionsOf(template, idOf(stack.jobQueues.workers[worker]));
    expect(filesOf('bulk').length > 0).toBe(name !== 'files');
    expect(filesOf('exports').includes('s3:PutObject /reports/*')).toBe(name !== 'reports');
    expect(filesOf('exports')).toEqual(
      expect.arrayContaining(['s3:PutObject /archives/*', 's3:DeleteObject /events/*']),
    );
    const isOfWebhooks = name === 'webhooks';
    const reads = statementsOf(template, idOf(stack.streamWorker.function)).flatMap(({ Action }) => Action);
    expect(reads.includes('dynamodb:Query')).toBe(!isOfWebhooks);
    const rules = JSON.stringify(resourcesIn(template, 'AWS::Events::Rule'));
    expect(rules.includes('deliveries')).toBe(!isOfWebhooks);
    expect(JSON.stringify(template.toJSON()).includes('#WEBHOOKS')).toBe(!isOfWebhooks);
  });
});

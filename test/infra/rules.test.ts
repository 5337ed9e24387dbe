import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnResource, CloudFormationValidatePlugin, type PolicyValidationPluginReport, Stack } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, test } from 'vitest';
import { gatewayTimeout } from '../../infra/aws/settings.ts';
import type { TesseraStackProps } from '../../infra/aws/stack.ts';
import { operations } from '../../infra/operations.ts';
import { queueNames } from '../../lib/kit/jobs/queues.ts';
import { isLong, sampled } from '../support/sampled.ts';
import { stackWith } from '../support/stack.ts';
import { templatesOf, wholeTemplate } from '../support/template.ts';

const families = Map.groupBy(operations, ({ family }) => family);

/** CloudFormation refuses a template with more. */
const maxResources = 500;
/** Where a stack is to be divided further, before a deployment has to find out. */
const crowded = 400;

interface Checked {
  app: App;
  whole: Template;
  templates: Map<string, Template>;
}

/** The same that `npm run synth` asks, which stops it by the flag in cdk.json. */
const schemas = new CloudFormationValidatePlugin();

function toCheck(stage: string): Checked {
  const app = new App();
  const stack = stackWith({ stage, alarmEmail: 'ops@shop.example', mailSender: 'hello@shop.example' }, app);
  return { app, whole: wholeTemplate(stack), templates: templatesOf(stack) };
}

/** A quick run asks of the stack that keeps its data. */
const stages = sampled(['prod', 'dev'], 1);

/** What rules found that nobody has excused. */
function findings({ violations }: PolicyValidationPluginReport) {
  return violations.map(({ ruleName, violatingResources }) => ({
    ruleName,
    places: violatingResources.map(({ constructPath, resourceLogicalId }) => constructPath ?? resourceLogicalId),
  }));
}

function bySchemas({ app, templates }: Pick<Checked, 'app' | 'templates'>): PolicyValidationPluginReport {
  const { directory } = app.synth();
  const paths = readdirSync(directory).filter((name) => name.endsWith('.template.json'));
  expect(paths).toHaveLength(templates.size);
  const stackTemplates = paths.map((name) => ({
    stackConstructPath: name,
    templatePath: join(directory, name),
    accountId: undefined,
    region: undefined,
  }));
  const templatePaths = stackTemplates.map(({ templatePath }) => templatePath);
  return schemas.validate({ templatePaths, stackTemplates, appConstruct: app });
}

/** Every combination of the options that a deployment has. */
const combinations: Partial<TesseraStackProps>[] = ['dev', 'prod'].flatMap((stage) =>
  [{}, { managementGuard: 'keys' } as const].flatMap((guard) =>
    [{}, { mailSender: 'hello@shop.example' }].flatMap((sender) =>
      [{}, { alarmEmail: 'ops@shop.example' }].flatMap((email) =>
        [{}, { rateLimitPerMinute: 90 }].map((limit) => ({ stage, ...guard, ...sender, ...email, ...limit })),
      ),
    ),
  ),
);

const countOf = (options: object) => Object.keys(options).length;
/** None of the options, and all of them, at each stage. */
const few = combinations.filter((options) => [1, 5].includes(countOf(options)));
/** Half of them, in which each three of the options meet in every way. */
const half = combinations.filter((options) => (countOf(options) + (options.stage === 'prod' ? 1 : 0)) % 2 === 0);

/** Of an app that was synthesised: references between nested stacks are parameters by then, and findings have the names of then. */
const bySolutions = (app: App) => new AwsSolutionsChecks(app).validateScope(app);

/** A stack and its rules take seconds: a quick run asks of none but the one below. */
test.each(isLong ? [...new Set([...few, ...half])] : [])(
  "%j: AWS's rules for solutions find nothing that is not excused",
  (options) => {
    const app = new App();
    stackWith(options, app);
    app.synth();
    expect(findings(bySolutions(app))).toEqual([]);
  },
);

describe.each(stages)('%s', (stage) => {
  let checked: Checked;
  beforeAll(() => {
    checked = toCheck(stage);
  });

  test("is valid by CloudFormation's schemas of resources", () => {
    expect(findings(bySchemas(checked))).toEqual([]);
  });

  test("has nothing that AWS's rules for solutions find and nobody has excused", () => {
    expect(findings(bySolutions(checked.app))).toEqual([]);
  });

  test(`has no template of more than ${crowded} resources: CloudFormation takes ${maxResources}`, () => {
    const sizes = [...checked.templates].map(([name, template]) => ({
      name,
      resources: Object.keys(template.toJSON().Resources).length,
    }));
    expect(sizes.filter(({ resources }) => resources > crowded)).toEqual([]);
  });

  test('lets alarms publish, for the policy of the topic replaces the one that would', () => {
    checked.whole.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: 'sns:Publish',
          }),
        ]),
      },
    });
  });

  test('gives up a request before the gateway does', () => {
    for (const family of families.keys()) {
      const functions = checked.templates.get(`${family}-functions`)?.findResources('AWS::Lambda::Function') ?? {};
      for (const { Properties } of Object.values(functions)) {
        expect(Properties.Timeout).toBeLessThan(gatewayTimeout.toSeconds());
      }
    }
  });

  test('logs each access by its route: no path, query, header or body, which hold codes and credentials', () => {
    const [stage] = Object.values(checked.whole.findResources('AWS::ApiGatewayV2::Stage'));
    const variables = String(stage?.Properties.AccessLogSettings.Format).match(/\$context\.[\w.]+/g) ?? [];
    expect(variables).toContain('$context.routeKey');
    expect(variables.join(' ')).not.toMatch(/path|query|header|\$context\.(identity\.(user|caller)|authorizer)|body/i);
  });

  test('limits the calls of the whole API', () => {
    checked.whole.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      DefaultRouteSettings: {
        ThrottlingRateLimit: Match.anyValue(),
        ThrottlingBurstLimit: Match.anyValue(),
      },
    });
  });

  test('traces every function, and keeps every log for a time that is named', () => {
    const { whole } = checked;
    for (const { Properties } of Object.values(whole.findResources('AWS::Lambda::Function'))) {
      expect(Properties.TracingConfig).toEqual({ Mode: 'Active' });
    }
    for (const { Properties } of Object.values(whole.findResources('AWS::Logs::LogGroup'))) {
      expect(Properties.RetentionInDays).toBeGreaterThan(0);
    }
  });

  // CloudFormation takes another id for another table: it would make an empty one, and delete this.
  test('calls the table what it has always called it', () => {
    expect(Object.keys(checked.templates.get('tessera')?.findResources('AWS::DynamoDB::GlobalTable') ?? {})).toEqual([
      'table8235A42E',
    ]);
  });

  test('has the table and the gateway beside each other, and the functions of each family, and the queues with their workers, by themselves', () => {
    const { templates } = checked;
    templates.get('jobs')?.resourceCountIs('AWS::SQS::Queue', 2 * queueNames.length);
    for (const [family, { length }] of families) {
      templates.get(`${family}-functions`)?.resourceCountIs('AWS::Lambda::Function', length);
    }
    expect([...templates.keys()]).toContain('jobs');
    // Besides the families': the root, the jobs', the docs'.
    expect(templates.size).toBe(families.size + 3);
  });

  test('has the table and its functions in one picture', () => {
    const [dashboard] = Object.values(checked.whole.findResources('AWS::CloudWatch::Dashboard'));
    const body = JSON.stringify(dashboard?.Properties.DashboardBody);
    for (const shown of ['Traffic', 'Errors', 'p99', 'ConsumedWriteCapacityUnits', 'IteratorAge', 'Generation']) {
      expect(body).toContain(shown);
    }
  });
});

test('a finding is found: the rules and the schemas do look', () => {
  const app = new App();
  const stack = new Stack(app, 'wrong');
  new Bucket(stack, 'open');
  new CfnResource(stack, 'misspelt', { type: 'AWS::SNS::Topic', properties: { TopicNam: 7 } });
  const templates = templatesOf(stack);
  expect(bySolutions(app).violations.map(({ ruleName }) => ruleName)).not.toEqual([]);
  expect(JSON.stringify(bySchemas({ app, templates }).violations)).toContain('TopicNam');
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnResource, CloudFormationValidatePlugin, type PolicyValidationPluginReport, Stack } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, test } from 'vitest';
import { queueNames } from '#kernel/kit/jobs/queues.ts';
import { gatewayTimeout } from '../../infra/aws/settings.ts';
import type { TesseraStackProps } from '../../infra/aws/stack.ts';
import { operations } from '../../infra/operations.ts';
import { isLong, sampled } from '../support/sampled.ts';
import { stackWith } from '../support/stack.ts';
import { templatesOf, wholeTemplate } from '../support/template.ts';

const families = Map.groupBy(operations, ({ family }) => family);

/** CloudFormation refuses a template with more resources. */
const maxResources = 500;
/** Above this number, a stack should be divided before a deployment fails. */
const crowded = 400;

interface Checked {
  app: App;
  whole: Template;
  templates: Map<string, Template>;
}

/** Runs the same checks as `npm run synth`, which stops on findings by the flag in cdk.json. */
const schemas = new CloudFormationValidatePlugin();

function toCheck(stage: string): Checked {
  const app = new App();
  const stack = stackWith(
    {
      stage,
      alarmEmail: 'ops@shop.example',
      mailSender: 'hello@shop.example',
      eventTargets: ['sqs:orders', 'eventbridge:shop'],
      reports: true,
      // The stage that keeps its data is watched in full, and the other stage by the standard.
      ...(stage === 'prod' ? { monitoring: 'full', ownKey: true } : {}),
      budget: 50,
      pagerUrl: 'https://pager.shop.example/in',
    },
    app,
  );
  return { app, whole: wholeTemplate(stack), templates: templatesOf(stack) };
}

/** A quick run checks the stack that keeps its data. */
const stages = sampled(['prod', 'dev'], 1);

/** Returns findings of the rules without an excuse. */
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

/** Yields every combination of a deployment's options. */
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
/** Lists no options and all options, for each stage. */
const few = combinations.filter((options) => [1, 5].includes(countOf(options)));
/** Lists half of the combinations. Each three options meet in every way there. */
const half = combinations.filter((options) => (countOf(options) + (options.stage === 'prod' ? 1 : 0)) % 2 === 0);

/**
 * Builds an app that was synthesised, because references between nested stacks and the names of findings are final only
 * then.
 */
const bySolutions = (app: App) => new AwsSolutionsChecks(app).validateScope(app);

/** A stack and its rules take seconds, so a quick run checks only the stack below. */
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

  test("has no finding of AWS's rules for solutions without an excuse", () => {
    expect(findings(bySolutions(checked.app))).toEqual([]);
  });

  test(`has no template of more than ${crowded} resources: CloudFormation takes ${maxResources}`, () => {
    const sizes = [...checked.templates].map(([name, template]) => ({
      name,
      resources: Object.keys(template.toJSON().Resources).length,
    }));
    expect(sizes.filter(({ resources }) => resources > crowded)).toEqual([]);
  });

  test('lets alarms publish, because the policy of the topic replaces the default one', () => {
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

  test('ends a request before the gateway does', () => {
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

  test('samples calls for traces with full monitoring, else leaves that to callers, and keeps every log for a set time', () => {
    const { whole } = checked;
    for (const { Properties } of Object.values(whole.findResources('AWS::Lambda::Function'))) {
      expect(Properties.TracingConfig).toEqual({ Mode: stage === 'prod' ? 'Active' : 'PassThrough' });
    }
    for (const { Properties } of Object.values(whole.findResources('AWS::Logs::LogGroup'))) {
      expect(Properties.RetentionInDays).toBeGreaterThan(0);
    }
  });

  // A renamed table would be a new, empty table, and CloudFormation would delete the old table.
  test('never changes the id of the table', () => {
    expect(Object.keys(checked.templates.get('tessera')?.findResources('AWS::DynamoDB::GlobalTable') ?? {})).toEqual([
      'table8235A42E',
    ]);
  });

  test('has table and gateway in one stack, and a stack for each family and for the queues', () => {
    const { templates } = checked;
    templates.get('jobs')?.resourceCountIs('AWS::SQS::Queue', queueNames.length + 1);
    for (const [family, { length }] of families) {
      // All operations of management share one function.
      const functions = family === 'management' ? 1 : length;
      templates.get(`${family}-functions`)?.resourceCountIs('AWS::Lambda::Function', functions);
    }
    expect([...templates.keys()]).toContain('jobs');
    // The others are the root, the stack of jobs, the stack of the tables of facts, and the stack of the docs.
    expect(templates.size).toBe(families.size + 4);
  });

  test('shows the table and its functions on one dashboard, with full monitoring', () => {
    checked.whole.resourceCountIs('AWS::CloudWatch::Dashboard', stage === 'prod' ? 1 : 0);
    if (stage !== 'prod') return;
    const [dashboard] = Object.values(checked.whole.findResources('AWS::CloudWatch::Dashboard'));
    const body = JSON.stringify(dashboard?.Properties.DashboardBody);
    for (const shown of ['Traffic', 'Errors', 'p99', 'ConsumedWriteCapacityUnits', 'IteratorAge', 'Generation']) {
      expect(body).toContain(shown);
    }
  });
});

test('the rules and the schemas report a known fault', () => {
  const app = new App();
  const stack = new Stack(app, 'wrong');
  new Bucket(stack, 'open');
  new CfnResource(stack, 'misspelt', { type: 'AWS::SNS::Topic', properties: { TopicNam: 7 } });
  const templates = templatesOf(stack);
  expect(bySolutions(app).violations.map(({ ruleName }) => ruleName)).not.toEqual([]);
  expect(JSON.stringify(bySchemas({ app, templates }).violations)).toContain('TopicNam');
});

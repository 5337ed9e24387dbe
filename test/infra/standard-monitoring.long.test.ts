import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { readOptions } from '../../infra/aws/options.ts';
import { deployed, stackWith } from '../support/stack.ts';
import { resourcesIn, wholeTemplate } from '../support/template.ts';

const { template } = deployed('standard');

const alarmShape = v.looseObject({
  AlarmDescription: v.string(),
  MetricName: v.optional(v.string()),
  Metrics: v.optional(v.unknown()),
});
const alarmsIn = (of: typeof template) =>
  Object.entries(resourcesIn(of, 'AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => ({
    id,
    ...v.parse(alarmShape, Properties),
  }));

const filters = Object.values(resourcesIn(template, 'AWS::Logs::MetricFilter')).map(({ Properties }) => Properties);
const filtersOf = (name: string) =>
  filters.filter(({ MetricTransformations: [one] }) => one.MetricName === `prod-${name}`);

/** Says whether CloudWatch Logs would count a call of this route, by the parts of a pattern that name routes. */
function names(pattern: string, routeKey: string): boolean {
  const ends = [...pattern.matchAll(/routeKey = "\*(\/[^"]+)"/g)].map(([, end = '']) => end);
  return ends.some((end) => routeKey.endsWith(end)) && /^POST (?!\/client\/)/.test(routeKey);
}

describe('standard monitoring', () => {
  test('has at most ten alarms, also with every option that brings its own', () => {
    expect(alarmsIn(template).length).toBeLessThanOrEqual(10);
    const most = { probe: true, reports: true, backup: { rhythm: 'daily', days: 90 } } as const;
    expect(alarmsIn(wholeTemplate(stackWith({ stage: 'prod', ...most }))).length).toBeLessThanOrEqual(10);
  });

  test('has no dashboard, no probe, no metrics of routes, no traces by chance, and no key of the account', () => {
    for (const type of ['AWS::CloudWatch::Dashboard', 'AWS::KMS::Key']) template.resourceCountIs(type, 0);
    const functions = Object.values(resourcesIn(template, 'AWS::Lambda::Function'));
    expect(functions.filter(({ Properties }) => 'API_URL' in Properties.Environment.Variables)).toHaveLength(1);
    expect(new Set(functions.map(({ Properties }) => Properties.TracingConfig.Mode))).toEqual(new Set(['PassThrough']));
    const [stage] = Object.values(resourcesIn(template, 'AWS::ApiGatewayV2::Stage'));
    expect(JSON.stringify(stage?.Properties)).not.toContain('"DetailedMetricsEnabled":true');
    const [table] = Object.values(resourcesIn(template, 'AWS::DynamoDB::GlobalTable'));
    expect(JSON.stringify(table?.Properties)).not.toContain('SSESpecification');
  });

  // Average of a metric that is 1 for a failed call and 0 for another.
  test('rings for a share of failed calls of tills, by one metric that counts each call', () => {
    const counted = filtersOf('tills-failed');
    expect(counted.map(({ MetricTransformations: [one] }) => one.MetricValue).toSorted()).toEqual(['0', '1']);
    for (const { FilterPattern, MetricTransformations } of counted) {
      const sign = MetricTransformations[0].MetricValue === '1' ? '=' : '!=';
      expect(FilterPattern).toContain(`($.status ${sign} "5*")`);
      expect(FilterPattern.length).toBeLessThanOrEqual(1_024);
    }
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'prod-tills-failed',
      Statistic: 'Average',
      Threshold: 0.01,
      Period: 60,
      EvaluationPeriods: 5,
      DatapointsToAlarm: 3,
      TreatMissingData: 'notBreaching',
    });
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'prod-tills-latency',
      ExtendedStatistic: 'p99',
      Threshold: 2_000,
      EvaluationPeriods: 3,
    });
  });

  test.each([
    ['POST /v1/redemptions', true],
    ['POST /v1/redemptions/{redemptionId}/rollback', true],
    ['POST /v1/validations', true],
    ['POST /v1/qualifications', true],
    ['POST /v1/vouchers/{code}/redemption', true],
    ['POST /v1/vouchers/{code}/validate', true],
    ['GET /v1/redemptions', false],
    ['POST /client/v1/redemptions', false],
    ['POST /v1/vouchers', false],
  ])('counts %s as a call of a till: %s', (key, isTill) => {
    for (const { FilterPattern } of [...filtersOf('tills-failed'), ...filtersOf('tills-latency')]) {
      expect(FilterPattern).toContain('($.routeKey = "POST *")');
      expect(FilterPattern).toContain('($.routeKey != "POST /client/*")');
      expect(names(FilterPattern, key)).toBe(isTill);
    }
  });

  test.each([
    ['dead letters of jobs', /crashed their worker/],
    ['dead letters of the stream', /The stream worker has given records up/],
    ['dead letters of totals', /The totals worker has given records up/],
    ['stuck jobs', /Jobs are stuck or ended as FAILED/],
    ['a throttled table', /The table refuses writes/],
  ])('watches the money: %s', (_, description) => {
    expect(alarmsIn(template).filter(({ AlarmDescription }) => description.test(AlarmDescription))).toHaveLength(1);
  });

  test('counts refused writes of the table itself by one metric', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'WriteThrottleEvents',
      Dimensions: [{ Name: 'TableName', Value: { Ref: 'table8235A42E' } }],
      Threshold: 20,
    });
  });

  test('stops a gradual deployment by the errors of tills', () => {
    const [errors] = alarmsIn(template).filter(({ MetricName }) => MetricName === 'prod-tills-failed');
    const groups = Object.values(resourcesIn(template, 'AWS::CodeDeploy::DeploymentGroup'));
    expect(groups.length).toBeGreaterThan(10);
    for (const { Properties } of groups) {
      expect(Properties.AlarmConfiguration).toMatchObject({ Enabled: true, Alarms: [{ Name: { Ref: errors?.id } }] });
    }
  });
});

describe('what an operator asks for', () => {
  const asked = wholeTemplate(
    stackWith({
      stage: 'prod',
      dashboard: true,
      pagerUrl: 'https://pager.shop.example/in',
      ticketEmail: 'tickets@shop.example',
      budget: 50,
    }),
  );

  test('is a dashboard without full monitoring, and a pager that gets pages alone', () => {
    asked.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
    const page = asked.findOutputs('AlarmTopic').AlarmTopic?.Value;
    asked.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'https',
      Endpoint: 'https://pager.shop.example/in',
      TopicArn: page,
    });
  });

  test('is a mail before the stage costs more than its budget, counted by its tag', () => {
    asked.hasResourceProperties('AWS::Budgets::Budget', {
      Budget: { BudgetLimit: { Amount: 50, Unit: 'USD' }, CostFilters: { TagKeyValue: ['user:stage$prod'] } },
    });
    expect(JSON.stringify(resourcesIn(asked, 'AWS::Budgets::Budget'))).toContain('tickets@shop.example');
    expect(() => readOptions({ stage: 'prod', budget: '50' })).toThrow('alarm-email or ticket-email');
  });

  test('is read from the command line and the file of stages', () => {
    const prod = { monitoring: 'full', dashboard: false, probe: 'off', 'own-key': true };
    expect(readOptions({ stage: 'prod' }, { prod })).toMatchObject({
      monitoring: 'full',
      dashboard: false,
      probe: false,
      ownKey: true,
    });
    const pager = 'https://pager.shop.example/in';
    expect(readOptions({ stage: 'prod', 'pager-url': pager })).toMatchObject({ pagerUrl: pager });
    expect(() => readOptions({ stage: 'prod', 'pager-url': 'http://pager.shop.example' })).toThrow('pager-url');
    expect(() => readOptions({ stage: 'prod', monitoring: 'all' })).toThrow('monitoring');
  });
});

test('every stage has saved queries over its logs, within the 50 log groups of a query', () => {
  const queries = Object.values(resourcesIn(template, 'AWS::Logs::QueryDefinition')).map(
    ({ Properties }) => Properties,
  );
  expect(queries.map(({ Name }) => Name).toSorted()).toEqual([
    'tessera-prod/errors of jobs',
    'tessera-prod/errors of tills',
    'tessera-prod/failed requests',
    'tessera-prod/requests turned away',
    'tessera-prod/slow routes',
  ]);
  for (const { LogGroupNames } of queries) {
    expect(LogGroupNames.length).toBeGreaterThan(0);
    expect(LogGroupNames.length).toBeLessThanOrEqual(50);
  }
});

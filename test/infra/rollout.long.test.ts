import { describe, expect, test } from 'vitest';
import { deployedOperations } from '../../infra/aws/deployed-functions.ts';
import { deployed, gatewayOf, stackWith } from '../support/stack.ts';
import { resourcesIn, wholeTemplate } from '../support/template.ts';

const tills = deployedOperations
  .filter(({ route }) => ['client', 'none'].includes(route.authentication) === false && route.method === 'POST')
  .filter(({ route }) => /(redemptions?|rollbacks?|validations?|validate|qualifications?)$/.test(route.path))
  .map(({ name }) => name);

describe('in a protected stage', () => {
  const full = () => deployed('full').template;

  test('exactly the functions of tills are called through an alias that CodeDeploy moves', () => {
    const { integrations } = gatewayOf(full());
    const aliases = resourcesIn(full(), 'AWS::Lambda::Alias');
    const throughAlias = Object.entries(integrations)
      .filter(([, { uri }]) => Object.keys(aliases).some((id) => JSON.stringify(uri).includes(`"${id}"`)))
      .map(([name]) => name);
    expect(tills.length).toBeGreaterThan(10);
    expect(throughAlias.toSorted()).toEqual(tills.toSorted());
    expect(Object.keys(aliases)).toHaveLength(tills.length);
    for (const { UpdatePolicy } of Object.values(aliases)) {
      expect(UpdatePolicy).toMatchObject({ CodeDeployLambdaAliasUpdate: { ApplicationName: expect.anything() } });
    }
  });

  test('a new version gets a tenth of the calls for ten minutes, and errors of tills undo the deployment', () => {
    const brakes = Object.entries(resourcesIn(full(), 'AWS::CloudWatch::Alarm'))
      .filter(([, { Properties }]) =>
        /for (validations|redemptions|qualifications) are answered with a 5xx/.test(Properties.AlarmDescription),
      )
      .map(([id]) => ({ Name: { Ref: id } }));
    expect(brakes).toHaveLength(3);
    const groups = Object.values(resourcesIn(full(), 'AWS::CodeDeploy::DeploymentGroup'));
    expect(groups).toHaveLength(tills.length);
    for (const { Properties } of groups) {
      expect(Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
        AutoRollbackConfiguration: { Enabled: true, Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM']) },
        AlarmConfiguration: { Enabled: true, Alarms: brakes },
      });
    }
  });

  test("a filter of the log stays within CloudWatch's limit of characters", () => {
    for (const { Properties } of Object.values(resourcesIn(full(), 'AWS::Logs::MetricFilter'))) {
      expect(Properties.FilterPattern.length).toBeLessThanOrEqual(1_024);
    }
  });
});

test('without protection a new version takes all calls at once, unless the stage has rollout', () => {
  expect(resourcesIn(deployed('plain').template, 'AWS::Lambda::Alias')).toEqual({});
  const operations = deployedOperations.filter(({ family }) => /^(redemp|valida|qualif)/.test(family));
  const chosen = wholeTemplate(stackWith({ stage: 'dev', gradual: true, operations }));
  expect(Object.keys(resourcesIn(chosen, 'AWS::CodeDeploy::DeploymentGroup')).length).toBeGreaterThan(0);
  chosen.allResources('AWS::DynamoDB::GlobalTable', { DeletionPolicy: 'Delete' });
});

import type { Cloud } from './cloud.ts';
import { type AddTemplate, expandRoutes } from './routes.ts';
import { type Resource, removeResources, resourcesOf, type Template } from './template.ts';

/**
 * Lists every change of the copy that is deployed. Each patch names the emulator's gap, and proves that the gap still
 * exists. A patch whose proof fails is removed from this list.
 */

export interface Patch {
  /** Says what the emulator can't do, as an operator would read it. */
  readonly gap: string;
  /** Changes the template, and returns the number of changed resources. */
  readonly apply: (template: Template, addTemplate: AddTemplate) => number;
  /** Holds a small template without the patch. */
  readonly unpatched: Template;
  /** Returns whether the emulator still mistreats that template: by default it refuses it with a reason like this. */
  readonly proof: RegExp | ((cloud: Cloud) => Promise<boolean>);
}

const alone = (resource: Resource): Template => ({ Resources: { One: resource } });

/** Leaves out every resource of a type. */
const without =
  (...types: string[]): Patch['apply'] =>
  (template) => {
    const ids = types.flatMap((type) => resourcesOf(template, type).map(([id]) => id));
    removeResources(template, ids);
    return ids.length;
  };

/** Gives an alarm one plain metric in place of its formula, so that its other properties are still read. */
function flattenAlarms(template: Template): number {
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').filter(([, { Properties }]) => Properties?.Metrics);
  for (const [, alarm] of alarms) {
    const { Metrics, ThresholdMetricId, ...others } = alarm.Properties ?? {};
    const plain = { Namespace: 'Tessera/Formula', MetricName: 'formula', Statistic: 'Sum', Period: 60 };
    alarm.Properties = { ...others, ...plain };
  }
  return alarms.length;
}

/** Puts a parameter in place of the application, because nested stacks get its name. */
function withoutCodeDeploy(template: Template): number {
  for (const [, alias] of resourcesOf(template, 'AWS::Lambda::Alias')) delete alias.UpdatePolicy;
  const applications = resourcesOf(template, 'AWS::CodeDeploy::Application');
  for (const [id] of applications)
    template.Resources[id] = { Type: 'AWS::SSM::Parameter', Properties: { Type: 'String', Value: 'unused' } };
  return applications.length + without('AWS::CodeDeploy::DeploymentGroup')(template);
}

export const patches: readonly Patch[] = [
  {
    gap: 'Alarms over a formula of metrics are refused. They become alarms over one metric.',
    apply: flattenAlarms,
    unpatched: alone({
      Type: 'AWS::CloudWatch::Alarm',
      Properties: {
        ComparisonOperator: 'GreaterThanThreshold',
        EvaluationPeriods: 1,
        Threshold: 1,
        Metrics: [{ Id: 'sum', Expression: 'SUM([1, 2])', Label: 'sum', ReturnData: true, Period: 60 }],
      },
    }),
    proof: /metric math/,
  },
  {
    gap: 'The body of an HTTP API is ignored. Its paths become routes and integrations.',
    apply: expandRoutes,
    unpatched: alone({
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: {
        Body: {
          openapi: '3.0.1',
          info: { title: 'body', version: '1' },
          paths: { '/one': { get: { 'x-amazon-apigateway-integration': { type: 'aws_proxy', payloadFormatVersion: '2.0' } } } },
        },
      },
    }),
    proof: async (cloud) => (await cloud.countRoutes('One')) === 0,
  },
  {
    gap: 'CodeDeploy does not exist. New versions of the till are in place immediately.',
    apply: withoutCodeDeploy,
    unpatched: alone({ Type: 'AWS::CodeDeploy::Application', Properties: { ComputePlatform: 'Lambda' } }),
    proof: /Unrecognized resource types/,
  },
  {
    gap: 'AWS Backup has no selection. Vault and plan are created, and no table is selected.',
    apply: without('AWS::Backup::BackupSelection'),
    unpatched: alone({ Type: 'AWS::Backup::BackupSelection', Properties: {} }),
    proof: /Unrecognized resource types/,
  },
];

import type { Cloud, SmallStack } from './cloud.ts';
import { answersBody, reachesOrigin } from './proofs.ts';
import { type Deployment, expandRoutes } from './routes.ts';
import { distributionOf } from './small-templates.ts';
import { type Resource, removeResources, resourcesOf, type Template } from './template.ts';

/**
 * Lists every change of the copy that is deployed. Each patch names the emulator's gap, and proves that the gap still
 * exists. A patch whose proof fails is removed from this list.
 */

export interface Patch {
  /** Says what the emulator can't do, as an operator would read it. */
  readonly gap: string;
  /** Changes the template, and returns the number of changed resources. */
  readonly apply: (template: Template, deployment: Deployment) => number;
  /** Holds a small template without the patch. */
  readonly unpatched: Template;
  /** Returns whether the emulator still mistreats that template: by default it refuses it with a reason like this. */
  readonly proof: RegExp | ((stack: SmallStack, cloud: Cloud) => Promise<boolean>);
}

const alone = (resource: Resource): Template => ({ Resources: { One: resource } });

/** Leaves out every resource of a type. */
const without =
  (...types: string[]) =>
  (template: Template): number => {
    const ids = types.flatMap((type) => resourcesOf(template, type).map(([id]) => id));
    removeResources(template, ids);
    return ids.length;
  };

/** Returns the gaps that the emulator no longer has. Their patches must be removed. */
export async function findClosedGaps(cloud: Cloud): Promise<string[]> {
  const closed: string[] = [];
  for (const { gap, unpatched, proof } of patches) {
    const exists = await cloud.withStack(unpatched, async (stack) =>
      proof instanceof RegExp ? proof.test(stack.refusal ?? '') : await proof(stack, cloud),
    );
    if (!exists) closed.push(gap);
  }
  return closed;
}

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

/** Sends the calls of a distribution to the emulator's own APIs. */
function redirectOrigins(template: Template, { port }: Deployment): number {
  const found = resourcesOf(template, 'AWS::CloudFront::Distribution');
  for (const [, { Properties = {} }] of found) {
    const { Origins, ...behaviours } = Properties.DistributionConfig as DistributionConfig;
    for (const behaviour of [behaviours.DefaultCacheBehavior, ...(behaviours.CacheBehaviors ?? [])])
      behaviour.ViewerProtocolPolicy = 'allow-all';
    for (const origin of Origins.filter(({ CustomOriginConfig }) => CustomOriginConfig)) {
      const text = JSON.stringify(origin.DomainName);
      const Ref = /"Ref":"([^":]+)"/.exec(text)?.[1];
      if (Ref === undefined || !text.includes('.execute-api.')) throw new Error(`${text} is not the name of an API`);
      origin.DomainName = { 'Fn::Join': ['', [{ Ref }, '.execute-api.localhost']] };
      origin.CustomOriginConfig = { OriginProtocolPolicy: 'http-only', HTTPPort: port };
    }
  }
  return found.length;
}

interface DistributionConfig {
  Origins: Origin[];
  DefaultCacheBehavior: Behaviour;
  CacheBehaviors?: Behaviour[];
}

interface Behaviour {
  ViewerProtocolPolicy: string;
}

interface Origin {
  DomainName: unknown;
  CustomOriginConfig?: object;
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
          paths: {
            '/one': { get: { 'x-amazon-apigateway-integration': { type: 'aws_proxy', payloadFormatVersion: '2.0' } } },
          },
        },
      },
    }),
    proof: async (stack, cloud) => !(await answersBody(stack, cloud)),
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
  {
    gap: 'CloudWatch Logs has no saved queries. None is created.',
    apply: without('AWS::Logs::QueryDefinition'),
    unpatched: alone({
      Type: 'AWS::Logs::QueryDefinition',
      Properties: { Name: 'errors', QueryString: 'fields @message' },
    }),
    proof: /Unrecognized resource types/,
  },
  {
    gap: 'A distribution does not reach the gateway. Its origins become the APIs on the port of the emulator, and all is HTTP.',
    apply: redirectOrigins,
    unpatched: distributionOf('one.execute-api.eu-central-1.amazonaws.com'),
    proof: async (stack, cloud) => !(await reachesOrigin(stack, cloud)),
  },
];

import { join } from 'node:path';
import { App, type CfnElement } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { type DeployOptions, readOptions } from '../../infra/aws/options.ts';
import { TesseraStack, type TesseraStackProps } from '../../infra/aws/stack.ts';
import { readStages } from '../../infra/aws/stages.ts';
import { resourcesIn, wholeTemplate } from './template.ts';

/** A folder with an empty handler, for stacks whose code no test reads. */
export const emptyBundle = join(import.meta.dirname, 'empty-bundle');

/**
 * Makes a stack without bundling, with any options and operations. It leaves out the tree, which needs a tenth of the
 * synthesis.
 */
export function stackWith(
  { stage = 'dev', ...props }: Partial<TesseraStackProps> = {},
  app = new App({ treeMetadata: false }),
): TesseraStack {
  return new TesseraStack(app, { stage, ...committedOptions(stage), bundleDirOf: () => emptyBundle, ...props });
}

/** Returns what the project's own file of stages says, or nothing for an undeclared stage. */
function committedOptions(stage: string): Partial<DeployOptions> {
  return stage in readStages() ? readOptions({ stage }) : {};
}

const kinds = {
  /** The stage `dev`, without an option. */
  plain: { stage: 'dev' },
  /** The stage `prod`, without an option. */
  standard: { stage: 'prod' },
  /** The stage `prod`, with full monitoring and all other options. */
  full: {
    stage: 'prod',
    monitoring: 'full',
    ownKey: true,
    managementGuard: 'keys',
    rateLimitPerMinute: 90,
    tillExecutions: 200,
    clientAddressHeader: 'cloudfront-viewer-address',
    projectMetrics: true,
    agents: 'act',
    mailSender: 'hello@shop.example',
    eventTargets: ['sqs:orders', 'eventbridge:shop'],
    alarmEmail: 'ops@shop.example',
  },
  /** The stage `dev`, with reports. */
  reporting: { stage: 'dev', reports: true },
} satisfies Record<string, DeployOptions>;

const made = new Map<string, { stack: TesseraStack; template: Template }>();

/**
 * Returns one of these stacks with everything it deploys. Each takes a second to make, so all tests of a process share it and only read it.
 */
export function deployed(kind: keyof typeof kinds = 'plain') {
  const found = made.get(kind);
  if (found) return found;
  const stack = stackWith(kinds[kind]);
  const one = { stack, template: wholeTemplate(stack) };
  made.set(kind, one);
  return one;
}

/** Returns the logical id of what a construct makes. */
export function idOf(construct: {
  stack: { getLogicalId(element: CfnElement): string };
  node: { defaultChild?: unknown };
}) {
  return construct.stack.getLogicalId(construct.node.defaultChild as CfnElement);
}

/** Returns parsed resources by id. */
export function resourcesOf<S extends v.GenericSchema>(template: Template, type: string, schema: S) {
  const found = Object.entries(resourcesIn(template, type));
  return new Map(found.map(([id, resource]): [string, v.InferOutput<S>] => [id, v.parse(schema, resource)]));
}

const operation = v.object({
  isDefaultRoute: v.optional(v.boolean()),
  security: v.optional(v.array(v.record(v.string(), v.unknown()))),
  parameters: v.optional(v.array(v.object({ name: v.string() })), []),
  'x-amazon-apigateway-integration': v.object({ $ref: v.string() }),
});
const apiResource = v.object({
  Properties: v.object({
    Body: v.object({
      tags: v.array(v.object({ name: v.string(), 'x-amazon-apigateway-tag-value': v.string() })),
      paths: v.record(v.string(), v.record(v.string(), operation)),
      components: v.object({
        securitySchemes: v.optional(v.record(v.string(), v.unknown()), {}),
        'x-amazon-apigateway-integrations': v.record(
          v.string(),
          v.object({
            uri: v.unknown(),
            credentials: v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.literal('Arn')]) }),
            payloadFormatVersion: v.string(),
          }),
        ),
      }),
    }),
  }),
});

/** Returns the gateway's document and its routes, each with its integration and whether IAM guards it. */
export function gatewayOf(template: Template) {
  const [api, ...others] = resourcesOf(template, 'AWS::ApiGatewayV2::Api', apiResource).values();
  if (!api || others.length > 0) throw new Error('there is not one API');
  const { Body: body } = api.Properties;
  const routes = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { isDefaultRoute, security, parameters, ...rest }]) => {
      const any = method === 'x-amazon-apigateway-any-method';
      return {
        key: isDefaultRoute ? '$default' : `${any ? 'ANY' : method.toUpperCase()} ${path}`,
        parameters: parameters.map(({ name }) => name),
        iam: security?.some((scheme) => 'iam' in scheme) ?? false,
        integration: rest['x-amazon-apigateway-integration'].$ref.split('/').at(-1) ?? '',
      };
    }),
  );
  return { body, routes, integrations: body.components['x-amazon-apigateway-integrations'] };
}

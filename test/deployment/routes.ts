import * as v from 'valibot';
import { type Resource, resourcesOf, type Template } from './template.ts';

/** Turns the OpenAPI body of an HTTP API into the routes and integrations that API Gateway would import from it. */

const operation = v.object({
  isDefaultRoute: v.optional(v.literal(true)),
  security: v.optional(v.array(v.unknown()), []),
  'x-amazon-apigateway-integration': v.object({ $ref: v.string() }),
});
const integration = v.object({
  uri: v.unknown(),
  payloadFormatVersion: v.literal('2.0'),
  type: v.literal('aws_proxy'),
});
const bodyShape = v.object({
  paths: v.record(v.string(), v.record(v.string(), operation)),
  components: v.object({ 'x-amazon-apigateway-integrations': v.record(v.string(), integration) }),
});

/** Describes the place that a patched template is deployed to. */
export interface Deployment {
  /** Stores a template next to the others, and returns the address that CloudFormation reads it from. */
  readonly addTemplate: (template: Template) => unknown;
  /** Is the port of the emulator. */
  readonly port: number;
}

/** A template can have 200 parameters, and each integration needs one for its function. */
const integrationsOfStack = 150;

function routeKeyOf(path: string, method: string, isDefault: boolean): string {
  if (isDefault) return '$default';
  return `${method === 'x-amazon-apigateway-any-method' ? 'ANY' : method.toUpperCase()} ${path}`;
}

interface Route {
  readonly key: string;
  readonly integration: string;
  readonly isSigned: boolean;
}

function routesOf({ paths }: v.InferOutput<typeof bodyShape>): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { isDefaultRoute = false, security, ...described }]) => ({
      key: routeKeyOf(path, method, isDefaultRoute),
      integration: described['x-amazon-apigateway-integration'].$ref.split('/').at(-1) ?? '',
      isSigned: security.length > 0,
    })),
  );
}

/** Builds a template of some integrations with their routes. Its parameters are the API and the integrations' functions. */
function templateOf(integrations: readonly string[], routes: readonly Route[]): Template {
  const places = integrations.map((name, index) => ({ name, id: `Integration${index}`, uri: `Uri${index}` }));
  const made = places.map(({ id, uri }): [string, Resource] => {
    const how = { IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0', IntegrationMethod: 'POST' };
    const Properties = { ApiId: { Ref: 'Api' }, ...how, IntegrationUri: { Ref: uri } };
    return [id, { Type: 'AWS::ApiGatewayV2::Integration', Properties }];
  });
  const reached = routes.map(({ key, integration, isSigned }, index): [string, Resource] => {
    const Ref = places.find(({ name }) => name === integration)?.id;
    const Properties = {
      ApiId: { Ref: 'Api' },
      RouteKey: key,
      Target: { 'Fn::Join': ['/', ['integrations', { Ref }]] },
      AuthorizationType: isSigned ? 'AWS_IAM' : 'NONE',
    };
    return [`Route${index}`, { Type: 'AWS::ApiGatewayV2::Route', Properties }];
  });
  const names = ['Api', ...places.map(({ uri }) => uri)];
  return {
    Parameters: Object.fromEntries(names.map((name) => [name, { Type: 'String' }])),
    Resources: Object.fromEntries([...made, ...reached]),
  };
}

function stacksOf(api: string, body: unknown, addTemplate: Deployment['addTemplate']): [string, Resource][] {
  const parsed = v.parse(bodyShape, body);
  const integrations = parsed.components['x-amazon-apigateway-integrations'];
  const routes = routesOf(parsed);
  const lost = routes.find(({ integration }) => !Object.hasOwn(integrations, integration));
  if (lost !== undefined) throw new Error(`${lost.key} has no integration`);
  const names = Object.keys(integrations);
  const groups = Array.from({ length: Math.ceil(names.length / integrationsOfStack) }, (_, index) =>
    names.slice(index * integrationsOfStack, (index + 1) * integrationsOfStack),
  );
  return groups.map((group, index) => {
    const template = templateOf(
      group,
      routes.filter(({ integration }) => group.includes(integration)),
    );
    const uris = group.map((name, place) => [`Uri${place}`, integrations[name]?.uri]);
    const Parameters = { Api: { Ref: api }, ...Object.fromEntries(uris) };
    const Properties = { TemplateURL: addTemplate(template), Parameters };
    return [`${api}Routes${index}`, { Type: 'AWS::CloudFormation::Stack', Properties }];
  });
}

/** Adds nested stacks with the routes of each HTTP API. Returns the number of APIs. */
export function expandRoutes(template: Template, { addTemplate }: Pick<Deployment, 'addTemplate'>): number {
  const apis = resourcesOf(template, 'AWS::ApiGatewayV2::Api');
  for (const [id, { Properties }] of apis)
    Object.assign(template.Resources, Object.fromEntries(stacksOf(id, Properties?.Body, addTemplate)));
  return apis.length;
}

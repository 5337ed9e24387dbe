import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnApi, CfnStage, HttpApi, type IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import {
  formatRouteKey,
  type GatewayPart,
  type GatewayRoute,
  type GatewayTarget,
  type Throttle,
} from './gateway-route.ts';
import type { StageSettings, Throttling } from './settings.ts';
import { throttledRoutes } from './throttled-routes.ts';

/**
 * Lists the fields of the gateway's log. It has the route's pattern and no header, because paths hold codes and headers
 * hold credentials.
 */
export const accessLogFields = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  routeKey: '$context.routeKey',
  status: '$context.status',
  latencyInMs: '$context.responseLatency',
  integrationLatencyInMs: '$context.integrationLatency',
  /** Holds Lambda's status for the function: 429 if no execution is free. */
  integrationStatus: '$context.integrationStatus',
  integrationError: '$context.integrationErrorMessage',
  error: '$context.error.message',
  bytes: '$context.responseLength',
  sourceIp: '$context.identity.sourceIp',
};

/** A latency is a number in the log line, without quotes. A metric needs a number. */
export const accessLogFormat = JSON.stringify(accessLogFields).replace(/"(\$context\.responseLatency)"/, '$1');

export function createAccessLog(scope: Construct, settings: StageSettings): LogGroup {
  return new LogGroup(scope, 'access-log', {
    retention: settings.logRetention,
    removalPolicy: settings.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

const signedByIam = {
  type: 'apiKey',
  name: 'Authorization',
  in: 'header',
  'x-amazon-apigateway-authtype': 'awsSigv4',
};
const anyMethod = 'x-amazon-apigateway-any-method';
const sharedIntegrations = 'x-amazon-apigateway-integrations';

function methodAndOperation(target: string, { method, path, isDefault, guardedByIam }: GatewayRoute) {
  const names = isDefault ? [] : [...path.matchAll(/\{(\w+\+?)\}/g)].map(([, name]) => name);
  const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const operation = {
    ...(isDefault ? { isDefaultRoute: true } : {}),
    ...(guardedByIam ? { security: [{ iam: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: { default: { description: 'The reply of the function' } },
    'x-amazon-apigateway-integration': { $ref: `#/components/${sharedIntegrations}/${target}` },
  };
  return [method === 'ANY' ? anyMethod : method.toLowerCase(), operation] as const;
}

/** Builds the OpenAPI body that the gateway imports: one integration for each function, shared by its routes. */
function bodyOf(
  stack: Stack,
  title: string,
  tags: Readonly<Record<string, string>>,
  targets: readonly GatewayTarget[],
) {
  const routes = targets.flatMap(({ name, routes }) => routes.map((route) => ({ name, route })));
  const byPath = Map.groupBy(routes, ({ route }) => (route.isDefault ? '/$default' : route.path));
  const paths = [...byPath].map(([path, ofPath]) => [
    path,
    Object.fromEntries(ofPath.map(({ name, route }) => methodAndOperation(name, route))),
  ]);
  const integrations = targets.map(({ name, invokedArn, invoker }) => [
    name,
    {
      type: 'aws_proxy',
      httpMethod: 'POST',
      uri: `arn:${stack.partition}:apigateway:${stack.region}:lambda:path/2015-03-31/functions/${invokedArn}/invocations`,
      credentials: invoker.roleArn,
      payloadFormatVersion: '2.0',
    },
  ]);
  return {
    openapi: '3.0.1',
    info: { title, version: '1' },
    tags: Object.entries(tags).map(([name, value]) => ({ name, 'x-amazon-apigateway-tag-value': value })),
    paths: Object.fromEntries(paths),
    components: {
      // API Gateway warns of a scheme that no route uses.
      ...(routes.some(({ route }) => route.guardedByIam) ? { securitySchemes: { iam: signedByIam } } : {}),
      [sharedIntegrations]: Object.fromEntries(integrations),
    },
  };
}

export interface GatewayProps {
  stage: string;
  settings: StageSettings;
  accessLog: LogGroup;
  tags: Readonly<Record<string, string>>;
  part: GatewayPart;
  /**
   * Says whether the stage is deployed for the first time. A warning of the import would then undo a thousand resources,
   * so the command prints it instead. Later deployments fail, because an import that ignores something could close a path.
   */
  isFirst?: boolean | undefined;
}

/**
 * Says whether the stage of an API may name a route. Families move to and from APIs with a number as their routes
 * increase, so these name the route for unknown paths alone.
 */
const mayName = (id: string, key: string) => key === '$default' || !/-\d+$/.test(id);

/** Creates one HTTP API as one resource for any number of routes, with one stage that throttles, measures and logs. */
export function createApi(
  scope: Construct,
  { stage, settings, accessLog, tags, part, isFirst = false }: GatewayProps,
): IHttpApi {
  const { id, targets } = part;
  const title = id === 'api' ? `tessera-${stage}` : `tessera-${stage}-${id}`;
  const api = new CfnApi(scope, id, { body: bodyOf(Stack.of(scope), title, tags, targets), failOnWarnings: !isFirst });
  const throttles: Readonly<Record<Throttle, Throttling>> = {
    public: settings.publicThrottling,
    page: settings.pageThrottling,
    preflight: settings.preflightThrottling,
    checkout: settings.throttling,
  };
  // A route's own metrics cost $1.80 a month. The dashboard reads them for checkouts only. Alarms and other routes use
  // the access log.
  const limitsOf = (throttle: Throttle) => ({
    DetailedMetricsEnabled: throttle === 'checkout' && settings.watchesAll,
    ThrottlingRateLimit: throttles[throttle].ratePerSecond,
    ThrottlingBurstLimit: throttles[throttle].burst,
  });
  const named = targets.flatMap(({ routes }) => routes.map(formatRouteKey)).filter((key) => mayName(id, key));
  const routeSettings = named.flatMap((key) => {
    const throttle = throttledRoutes.get(key);
    return throttle === undefined ? [] : [[key, limitsOf(throttle)] as const];
  });
  new CfnStage(scope, `${id}-stage`, {
    apiId: api.ref,
    stageName: '$default',
    autoDeploy: true,
    defaultRouteSettings: {
      detailedMetricsEnabled: false,
      throttlingRateLimit: settings.throttling.ratePerSecond,
      throttlingBurstLimit: settings.throttling.burst,
    },
    routeSettings: Object.fromEntries(routeSettings),
    accessLogSettings: { destinationArn: accessLog.logGroupArn, format: accessLogFormat },
    tags: { ...tags },
  });
  return HttpApi.fromHttpApiAttributes(scope, `imported-${id}`, {
    httpApiId: api.ref,
    apiEndpoint: api.attrApiEndpoint,
  });
}

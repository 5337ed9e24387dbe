import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { preflightRoute } from '#kernel/http/cors.ts';
import { consolePaths } from '../console/handler.ts';
import { leftOutVariable } from '../left-out.ts';
import { mcpPath } from '../mcp/tool.ts';
import type { AgentRight } from './agent-options.ts';
import { type EndpointProps, FamilyStack } from './family-stack.ts';
import type { GatewayRoute, GatewayTarget } from './gateway-route.ts';

const openRoute = (path: string): GatewayRoute => ({ method: 'ANY', path, isPublic: true, throttle: 'public' });

/**
 * The default route also leads to the docs, because an API has at most 300 routes. The function answers 404 or 405 to
 * unknown routes.
 */
const docsRoutes: readonly GatewayRoute[] = [{ ...openRoute('/'), isDefault: true }];

interface OpenFunctionsProps extends Pick<EndpointProps, 'table' | 'settings'> {
  readonly bundleDir: (name: string) => string;
  readonly agents: AgentRight | undefined;
  readonly hasConsole: boolean;
  /** The secret of the distribution. */
  readonly proof: string | undefined;
  /** The add-ons that the stage leaves out. */
  readonly leaveOut?: readonly string[] | undefined;
}

/** Adds the functions whose paths the gateway opens to anyone. None has any action on the table. */
export function addOpenFunctions(
  scope: Construct,
  { bundleDir, agents, hasConsole, proof, leaveOut = [], ...common }: OpenFunctionsProps,
): { stack: FamilyStack; open: Map<string, GatewayTarget & { readonly lambda: LambdaFunction }> } {
  const stack = new FamilyStack(scope, 'docs');
  const add = (name: string, props: Pick<EndpointProps, 'description' | 'environment' | 'routes'>) =>
    [name, stack.add({ ...common, ...props, name, bundleDir: bundleDir(name), grant: { actions: [] } })] as const;
  const functions = [
    add('docs', {
      description: 'Serves /openapi.json and /docs, and answers unknown paths',
      environment: { ...(hasConsole ? { HOME_PAGE: '/console' } : {}), ...leftOutVariable(leaveOut) },
      routes: docsRoutes,
    }),
    add('preflights', {
      description: 'Answers the preflights of browsers for client paths',
      routes: [{ ...preflightRoute, isPublic: true, throttle: 'preflight' }],
    }),
  ];
  if (hasConsole) {
    const routes = consolePaths.map(openRoute);
    functions.push(add('console', { description: 'Serves the files of the web console', routes }));
  }
  if (agents === undefined) return { stack, open: new Map(functions) };
  const mcp = add('mcp', {
    description: 'Serves tools to agents at /mcp, and calls the API with the credentials of the caller',
    environment: {
      AGENTS_ACT: agents === 'act' ? 'on' : 'off',
      ...leftOutVariable(leaveOut),
      // Tools call the API by the address of the distribution.
      ...(proof === undefined ? {} : { DISTRIBUTION_PROOF: proof }),
    },
    routes: [openRoute(mcpPath)],
  });
  return { stack, open: new Map([...functions, mcp]) };
}

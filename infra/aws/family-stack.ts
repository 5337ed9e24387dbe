import { Duration, NestedStack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { GatewayRoute, GatewayTarget } from './gateway.ts';
import { type NodeFunctionProps, nodeFunction } from './node-function.ts';
import type { StageSettings } from './settings.ts';
import type { TableGrant } from './table-grants.ts';

/** Memory buys CPU (1,769 MB is one core). A request waits for the table far more than it computes. */
const endpointMemorySizeInMb = 512;
/** A checkout computes discounts, and a customer waits for its first call in a new container: at 0.58 of a core in place of 0.29. */
const tillMemorySizeInMb = 1024;

export interface EndpointProps {
  name: string;
  /** Folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  description: string;
  table: TableV2;
  grant: TableGrant;
  files?: NodeFunctionProps['files'];
  environment?: Readonly<Record<string, string>>;
  settings: StageSettings;
  /** Executions that each of the main checkout functions has for itself, taken from all others. It has no more either. */
  tillExecutions?: number | undefined;
  routes: readonly GatewayRoute[];
}

/** Tills and web shops call these three paths; older clients' paths for a single voucher share what is left. */
function isMainCheckout({ throttle, path }: GatewayRoute): boolean {
  return throttle === 'checkout' && /^\/v1\/[a-z]+$/.test(path);
}

/**
 * The functions of one family of routes, each with a role and a log of its own, and the one role in which the gateway may invoke
 * them and nothing else: most of what there is, so that no stack nears the 500 resources that CloudFormation takes.
 */
export class FamilyStack extends NestedStack {
  readonly #invoker: Role;
  readonly #mayInvoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });

  constructor(scope: Construct, family: string) {
    super(scope, `${family}-functions`, { description: `Tessera: the functions of ${family}` });
    const gateway = new ServicePrincipal('apigateway.amazonaws.com');
    this.#invoker = new Role(this, `${family}-invoker`, { assumedBy: gateway });
    this.#invoker.addToPolicy(this.#mayInvoke);
  }

  add({ name, routes, settings, tillExecutions, ...props }: EndpointProps): GatewayTarget & {
    lambda: LambdaFunction;
    logGroup: ILogGroup;
  } {
    const isPublic = routes.some((route) => route.isPublic);
    const isTill = routes.some(({ throttle }) => throttle === 'checkout');
    const ofTill = routes.some(isMainCheckout) ? tillExecutions : undefined;
    const { lambda, logGroup } = nodeFunction(new Construct(this, name), {
      ...props,
      settings,
      memorySizeInMb: isTill ? tillMemorySizeInMb : endpointMemorySizeInMb,
      // Time for retries. However they add up, the calls of the table end before it does (lib/table/time-limit.ts), so that the caller
      // gets a reply of ours; the gateway waits longer.
      timeout: Duration.seconds(20),
      reservedConcurrency: isPublic ? settings.reservedConcurrency?.publicPath : ofTill,
    });
    this.#mayInvoke.addResources(lambda.functionArn);
    return { name, lambda, logGroup, invoker: this.#invoker, routes };
  }
}

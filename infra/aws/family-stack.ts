import { createHash } from 'node:crypto';
import { CfnParameter, Duration, NestedStack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { GatewayRoute, GatewayTarget } from './gateway-route.ts';
import { limits } from './limits.ts';
import {
  createFunctionRole,
  createNodeFunction,
  type FunctionRights,
  type FunctionRole,
  type NodeFunctionProps,
} from './node-function.ts';
import type { Rollout } from './rollout.ts';
import type { StageSettings } from './settings.ts';
import { chainLogGroups } from './stack-chain.ts';
import type { TableGrant } from './table-grants.ts';

/** Memory buys CPU: 1,769 MB is one core. A request waits for the table far more than it computes. */
const endpointMemorySizeInMb = 512;
/**
 * A checkout computes discounts, and a customer waits for its first call in a new container. It therefore gets 0.58 of
 * a core instead of 0.29.
 */
const tillMemorySizeInMb = 1024;

export interface EndpointProps {
  name: string;
  /** The folder of the bundled handler, `index.mjs`. */
  bundleDir: string;
  description: string;
  table: TableV2;
  grant: TableGrant;
  files?: NodeFunctionProps['files'];
  reports?: NodeFunctionProps['reports'];
  environment?: Readonly<Record<string, string>>;
  settings: StageSettings;
  /** Reserves executions for each of the main checkout functions, taken from all others. It is also their maximum. */
  tillExecutions?: number | undefined;
  routes: readonly GatewayRoute[];
  /** Puts a new version of a till's function in place by degrees. */
  rollout?: Rollout | undefined;
}

/** Tills and web shops call these three paths. Older clients' paths for a single voucher share the rest. */
function isMainCheckout({ throttle, path }: GatewayRoute): boolean {
  return throttle === 'checkout' && /^\/v1\/[a-z]+$/.test(path);
}

/** Names rights by their content, so that a role keeps its name when functions change. */
function nameOfRights(grant: TableGrant, files: readonly string[] = [], asksReports = false): string {
  return createHash('sha256')
    .update(JSON.stringify([grant, files, ...(asksReports ? ['reports'] : [])]))
    .digest('hex')
    .slice(0, 8);
}

/** IAM accepts 10,240 characters of policy for a role, and each log group's name may use some 260 of them. */
const mostFunctionsOfRole = 25;

/**
 * Creates the functions of one family of routes, each with its own log. The gateway invokes them by one role that
 * may do nothing else. Families keep each stack below CloudFormation's 500 resources. Functions with equal rights share
 * a role, because an account has 1,000 roles.
 */
export class FamilyStack extends NestedStack {
  readonly #invoker: Role;
  readonly #family: string;
  /** Lists the roles of each set of rights, the latest last. */
  readonly #roles = new Map<string, (FunctionRole & { functions: number })[]>();
  readonly #mayInvoke = new PolicyStatement({ actions: ['lambda:InvokeFunction'] });
  readonly #logGroups: ILogGroup[] = [];
  /** The distribution's secret, as the environment of a function has it. */
  readonly #proof: Readonly<Record<string, string>>;

  /**
   * `proof` refers to the distribution's secret. A template can have 60 such references, so a large family gets the
   * secret once, as a parameter that CloudFormation does not show.
   */
  constructor(
    scope: Construct,
    family: string,
    { proof, size = 0 }: { proof?: string | undefined; size?: number } = {},
  ) {
    const handed = proof !== undefined && size > limits.references / 2 ? proof : undefined;
    super(scope, `${family}-functions`, {
      description: `Tessera: the functions of ${family}`,
      ...(handed === undefined ? {} : { parameters: { DistributionProof: handed } }),
    });
    const known =
      handed === undefined ? proof : new CfnParameter(this, 'DistributionProof', { noEcho: true }).valueAsString;
    this.#proof = known === undefined ? {} : { DISTRIBUTION_PROOF: known };
    const gateway = new ServicePrincipal('apigateway.amazonaws.com');
    this.#invoker = new Role(this, `${family}-invoker`, { assumedBy: gateway });
    this.#invoker.addToPolicy(this.#mayInvoke);
    this.#family = family;
  }

  #roleFor(rights: FunctionRights): FunctionRole {
    const { grant, files, reports } = rights;
    const name = nameOfRights(grant, files?.rights, reports !== undefined);
    const roles = this.#roles.get(name) ?? [];
    this.#roles.set(name, roles);
    const latest = roles.at(-1);
    if (latest && latest.functions < mostFunctionsOfRole) {
      latest.functions++;
      return latest;
    }
    const id = [this.#family, 'role', name, ...(latest ? [String(roles.length + 1)] : [])].join('-');
    const made = { ...createFunctionRole(this, id, rights), functions: 1 };
    roles.push(made);
    return made;
  }

  /** Returns how many functions the stack has. */
  get functions(): number {
    return this.#logGroups.length;
  }

  add({ name, routes, settings, tillExecutions, rollout, ...props }: EndpointProps): GatewayTarget & {
    lambda: LambdaFunction;
    logGroup: ILogGroup;
  } {
    const isPublic = routes.some((route) => route.isPublic);
    const isTill = routes.some(({ throttle }) => throttle === 'checkout');
    const ofTill = routes.some(isMainCheckout) ? tillExecutions : undefined;
    const all: NodeFunctionProps = {
      ...props,
      environment: { ...props.environment, ...this.#proof },
      settings,
      memorySizeInMb: isTill ? tillMemorySizeInMb : endpointMemorySizeInMb,
      // The timeout leaves room for retries. The calls of the table end before it (lib/kernel/table/capacity.ts), so the
      // caller gets our reply. The gateway waits longer.
      timeout: Duration.seconds(20),
      reservedConcurrency: isPublic ? settings.reservedConcurrency?.publicPath : ofTill,
    };
    const place = new Construct(this, name);
    const { lambda, logGroup } = createNodeFunction(place, all, this.#roleFor(all));
    chainLogGroups([...this.#logGroups.slice(-1), logGroup]);
    this.#logGroups.push(logGroup);
    const invokedArn = isTill && rollout ? rollout.aliasOf(place, lambda).functionArn : lambda.functionArn;
    this.#mayInvoke.addResources(invokedArn);
    return { name, lambda, logGroup, invokedArn, invoker: this.#invoker, routes };
  }
}

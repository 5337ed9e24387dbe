import { CfnOutput, NestedStack, type Stack } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { createDistribution } from './distribution.ts';
import type { DistributionOptions } from './distribution-options.ts';
import { createApi, type GatewayProps } from './gateway.ts';
import { divideRoutes } from './gateway-parts.ts';
import type { GatewayTarget } from './gateway-route.ts';
import { checkApis, checkStacks } from './limits.ts';
import { excuse } from './nag.ts';
import { keepThrottledRoutes } from './throttled-routes.ts';

export interface Address {
  /** The address that callers use. */
  url: string;
  apis: readonly IHttpApi[];
}

/** Creates a secret that the distribution sends with each call. Functions recognise the distribution's calls by it. */
export function createProof(scope: Construct): string {
  const secret = new Secret(scope, 'distribution-proof', {
    description: 'Tells calls that came through the distribution from calls that went around it',
    generateSecretString: { excludePunctuation: true, passwordLength: 40 },
  });
  excuse(
    secret,
    'AwsSolutions-SMG4',
    'It opens nothing: a caller with it can only choose the address that counts browser calls. A rotation in one place would break the other.',
  );
  return secret.secretValue.unsafeUnwrap();
}

export interface AddressProps extends Omit<GatewayProps, 'part'> {
  targets: readonly GatewayTarget[];
  distribution?: DistributionOptions | undefined;
  proof?: string | undefined;
}

/**
 * Creates the gateway: one API, or APIs by path that share one distribution. Refuses at synthesis what AWS would
 * refuse.
 */
export function createAddress(stack: Stack, { targets, distribution, proof, ...props }: AddressProps): Address {
  const kept = keepThrottledRoutes(targets);
  const parts = distribution ? divideRoutes(kept) : [{ id: 'api', beginnings: [], targets: kept }];
  const made = parts.map((part) => ({ part, api: createApi(stack, { ...props, part }) }));
  stack.node.addValidation({
    validate: () => [...checkApis(parts, distribution !== undefined), ...checkStacks(stack)],
  });
  const apis = made.map(({ api }) => api);
  if (!distribution || proof === undefined) return { url: apis[0]?.apiEndpoint ?? '', apis };
  const place = new NestedStack(stack, 'front', { description: 'Tessera: the one address of APIs and console' });
  const { url, distribution: front } = createDistribution(place, {
    ...distribution,
    stage: props.stage,
    parts: made,
    proof,
  });
  const management = made.find(({ part }) => part.id === 'management-api')?.api;
  new CfnOutput(stack, 'DistributionDomain', { value: front.distributionDomainName });
  if (management) new CfnOutput(stack, 'ManagementUrl', { value: management.apiEndpoint });
  return { url, apis };
}

import { NestedStack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { EndpointFunction, type EndpointFunctionProps } from './endpoint-function.ts';

/**
 * The functions of one family of routes, with their roles, logs and alarms: most of what there is, so that no stack nears the
 * 500 resources that CloudFormation takes. Gateway routes are not here but beside the API: the gateway takes a route key once,
 * so that a route could not move from stack to stack without being away in between.
 */
export class FamilyStack extends NestedStack {
  constructor(scope: Construct, family: string) {
    super(scope, `${family}-functions`, { description: `Tessera: the functions of ${family}` });
  }

  addEndpoint(operation: string, props: EndpointFunctionProps): EndpointFunction {
    return new EndpointFunction(this, operation, props);
  }
}

import { Annotations, CfnOutput, CfnParameter, CfnResource, Stack } from 'aws-cdk-lib';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { GatewayPart } from './gateway-route.ts';

/** Holds AWS's quotas, as of November 2026. A synthesis above one of them would fail in the middle of a deployment. */
export const limits = {
  /** Limits an HTTP API. AWS does not raise the number of integrations. */
  integrations: 300,
  routes: 300,
  /** Limits a template of CloudFormation. */
  resources: 500,
  parameters: 200,
  outputs: 200,
  /** Limits the dynamic references (`{{resolve:...}}`) of a template. */
  references: 60,
  /** Limits the changes of CloudFormation in one operation, over all nested stacks. */
  resourcesTogether: 2_500,
  /** Limits an account. AWS raises it on request. */
  roles: 1_000,
} as const;

function overLimit(what: string, count: number, most: number, owner: string, mend: string): string[] {
  return count > most ? [`${what} has ${count} ${owner}: ${most} are the limit. ${mend}`] : [];
}

/** Returns what the gateway would refuse about these APIs. */
export function checkApis(parts: readonly GatewayPart[], isDivided: boolean): string[] {
  const mend = isDivided
    ? 'Divide its paths further (infra/aws/gateway-parts.ts).'
    : 'Deploy with --distribution on, which divides the paths among APIs with one address.';
  return parts.flatMap(({ id, targets }) => [
    ...overLimit(`The HTTP API ${id}`, targets.length, limits.integrations, 'integrations', mend),
    ...overLimit(`The HTTP API ${id}`, targets.flatMap(({ routes }) => routes).length, limits.routes, 'routes', mend),
  ]);
}

/** Returns what CloudFormation and IAM would refuse about a stack and its nested stacks. */
export function checkStacks(root: Stack): string[] {
  const all = root.node.findAll();
  const byStack = Map.groupBy(all, (one) => Stack.of(one));
  const divided = 'Divide the family, or move resources into a nested stack.';
  const templates = [...byStack].flatMap(([stack, members]) => {
    const count = (type: abstract new (...args: never[]) => unknown) =>
      members.filter((one) => one instanceof type).length;
    const name = `The template ${stack.node.id}`;
    return [
      ...overLimit(name, count(CfnResource), limits.resources, 'resources', divided),
      ...overLimit(name, count(CfnParameter), limits.parameters, 'parameters', divided),
      ...overLimit(name, count(CfnOutput), limits.outputs, 'outputs', divided),
    ];
  });
  const resources = all.filter((one) => one instanceof CfnResource);
  const roles = resources.filter((one) => one instanceof CfnRole);
  return [
    ...templates,
    ...overLimit('The deployment', resources.length, limits.resourcesTogether, 'resources', divided),
    ...overLimit('The stage', roles.length, limits.roles, 'roles', 'Ask AWS for more roles in the account.'),
  ];
}

/** Returns what CloudFormation would refuse about the text of a template: its dynamic references, which only the text has. */
export function checkReferences(name: string, template: string): string[] {
  const count = template.split('{{resolve:').length - 1;
  const mend = 'Hand the value once to a nested stack, as a parameter.';
  return overLimit(`The template ${name}`, count, limits.references, 'dynamic references', mend);
}

/** An account has 1,000 executions unless AWS raises it, and its other applications need some. */
const manyReserved = 500;

/** Warns of a stage that reserves half of an account's executions. The deployment stops if fewer than 100 would be left. */
export function warnOfReserved(root: Stack): void {
  const functions = root.node.findAll().filter((one) => one instanceof CfnFunction);
  const reserved = functions.reduce(
    (sum, { reservedConcurrentExecutions = 0 }) => sum + reservedConcurrentExecutions,
    0,
  );
  if (reserved <= manyReserved) return;
  Annotations.of(root).addWarningV2(
    'tessera:reserved-executions',
    `The stage reserves ${reserved} executions, so the account needs at least ${reserved + 100} (npm run doctor shows its quota). --till-executions reserves most of them.`,
  );
}

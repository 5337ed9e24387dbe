import { CfnResource, type NestedStack } from 'aws-cdk-lib';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';

/**
 * CloudFormation begins everything that waits for nothing simultaneously. Hundreds of functions, roles and log groups
 * exceed the rates of their services, and one failure undoes the whole deployment.
 */

/** Each link takes about as long as its largest family, so more links make a deployment slower. */
const mostLinks = 5;

interface Member {
  readonly stack: NestedStack;
  readonly functions: number;
}

/** Divides stacks into links with about as many functions each. */
function divide(members: readonly Member[]): Member[][] {
  const all = members.reduce((sum, { functions }) => sum + functions, 0);
  const links: Member[][] = [];
  let before = 0;
  for (const member of members) {
    const index = Math.min(mostLinks - 1, Math.floor((before * mostLinks) / all));
    const link = links[index] ?? [];
    links[index] = [...link, member];
    before += member.functions;
  }
  return links.filter((link) => link !== undefined);
}

/** Lets each link of nested stacks wait for the link before it. */
export function chainStacks(members: readonly Member[]): void {
  const links = divide(members);
  for (const [index, link] of links.entries()) {
    for (const { stack } of link) {
      for (const earlier of links[index - 1] ?? []) {
        if (earlier.stack.nestedStackResource)
          stack.nestedStackResource?.addResourceDependency(earlier.stack.nestedStackResource);
      }
    }
  }
}

/** Lets log groups be created one after the other, because each is two calls: the group, and its retention. */
export function chainLogGroups(logGroups: readonly ILogGroup[]): void {
  const resources = logGroups.flatMap(({ node: { defaultChild } }) =>
    defaultChild instanceof CfnResource ? [defaultChild] : [],
  );
  for (const [index, resource] of resources.entries()) {
    const earlier = resources[index - 1];
    if (earlier) resource.addResourceDependency(earlier);
  }
}

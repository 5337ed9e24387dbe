import type { FileRight } from '#kernel/core/files/access.ts';
import { matchPath } from '#kernel/http/match.ts';
import { listRequestLines, type Route } from '#kernel/http/route.ts';
import { operations } from '../operations.ts';
import { formatRouteKey, type GatewayRoute, type Throttle } from './gateway-route.ts';
import { sharedPathOf } from './shared-families.ts';
import { deriveGrant, type TableGrant, uniteGrants } from './table-grants.ts';

/** Describes an operation as the stack needs it. */
export interface DeployedOperation {
  family: string;
  name: string;
  route: Route;
  /** The add-on that it belongs to. */
  addOn?: string | undefined;
  grant: TableGrant;
}

/** Lists all operations. */
export const deployedOperations: readonly DeployedOperation[] = operations.map(({ family, name, route, addOn }) => ({
  family,
  name,
  route,
  addOn,
  grant: deriveGrant(route),
}));

/** Describes a function that serves one operation, or all operations of a family that shares. */
export interface DeployedFunction {
  family: string;
  name: string;
  description: string;
  operations: readonly DeployedOperation[];
  routes: readonly GatewayRoute[];
  /** Allows what its operations need together. */
  grant: TableGrant;
  /** Lists what its operations do to files together. */
  files: readonly FileRight[] | undefined;
}

/**
 * Gives the paths that a till or a web shop's server waits for a separate throttle. A flood on other paths does not
 * affect them.
 */
const checkoutPath = /\/(redemptions?|rollbacks?|validations?|validate|qualifications?)$/;

function throttleOf({ authentication, method, path }: Route): { throttle?: Throttle } {
  if (authentication === 'none') return { throttle: 'public' };
  if (authentication === 'client') return { throttle: 'page' };
  return method === 'POST' && checkoutPath.test(path) ? { throttle: 'checkout' } : {};
}

function ownRoutes(route: Route, guard: string): GatewayRoute[] {
  const { authentication } = route;
  return listRequestLines(route).map((line) => ({
    ...line,
    guardedByIam: authentication === 'management' && guard === 'iam',
    isPublic: authentication === 'none',
    ...throttleOf(route),
  }));
}

/** Makes one function of a whole family, with one route for all methods. */
function shareFunction(family: string, members: readonly DeployedOperation[], path: string, guard: string) {
  const routes = members.flatMap(({ route }) => ownRoutes(route, guard));
  const outside = routes.filter((route) => matchPath(path, route.path) === undefined);
  const odd = routes.filter(({ isPublic, throttle }) => isPublic || throttle !== undefined);
  // One route has one guard and one throttle.
  for (const route of [...outside, ...odd]) throw new Error(`${formatRouteKey(route)} can't share the route ${path}`);
  const guardedByIam = routes.some((route) => route.guardedByIam);
  if (!routes.every((route) => route.guardedByIam === guardedByIam))
    throw new Error(`${family} has more than one guard`);
  const files = [...new Set(members.flatMap(({ route }) => route.files ?? []))];
  return {
    family,
    name: family,
    description: `Serves the ${members.length} operations of ${family}`,
    operations: members,
    routes: [{ method: 'ANY', path, operations: members.length, guardedByIam, isPublic: false }],
    grant: uniteGrants(members.map(({ grant }) => grant)),
    files: files.length > 0 ? files : undefined,
  };
}

/** Lists the functions of operations: one for each, or one for a family that shares. */
export function listFunctions(operations: readonly DeployedOperation[], guard: string): DeployedFunction[] {
  return [...Map.groupBy(operations, ({ family }) => family)].flatMap(([family, members]): DeployedFunction[] => {
    const path = sharedPathOf(family);
    if (path !== undefined) return [shareFunction(family, members, path, guard)];
    return members.map((one) => ({
      family,
      name: one.name,
      description: one.route.summary,
      operations: [one],
      routes: ownRoutes(one.route, guard),
      grant: one.grant,
      files: one.route.files,
    }));
  });
}

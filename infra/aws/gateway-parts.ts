import type { GatewayPart, GatewayRoute, GatewayTarget } from './gateway-route.ts';
import { limits } from './limits.ts';

const idOfFirst: Readonly<Record<string, string>> = { v1: 'api', client: 'client-api', management: 'management-api' };
/** Serves the docs, and all paths that no other API has. */
const ownId = 'own-api';

const firstOf = ({ path }: GatewayRoute) => path.split('/')[1] ?? '';
const stemOf = ({ path }: GatewayRoute) => path.split('/').slice(0, 3).join('/');

/** Returns the targets with their matching routes, and leaves out targets without any. */
function targetsWith(targets: readonly GatewayTarget[], fits: (route: GatewayRoute) => boolean): GatewayTarget[] {
  return targets
    .map((target) => ({ ...target, routes: target.routes.filter(fits) }))
    .filter(({ routes }) => routes.length > 0);
}

const countOf = (targets: readonly GatewayTarget[]) => targets.reduce((sum, { routes }) => sum + routes.length, 0);

/** Moves the largest families into APIs of their own, until each API has at most `most` routes. */
function fitted(part: GatewayPart, most: number, number = 2): GatewayPart[] {
  const byStem = Map.groupBy(
    part.targets.flatMap(({ routes }) => routes),
    stemOf,
  );
  const moved: string[] = [];
  let left = countOf(part.targets);
  for (const [stem, { length }] of [...byStem].toSorted(([, a], [, b]) => b.length - a.length)) {
    if (left <= most || moved.length === byStem.size - 1) break;
    moved.push(stem);
    left -= length;
  }
  if (moved.length === 0) return [part];
  const isMoved = (route: GatewayRoute) => moved.includes(stemOf(route));
  const id = `${part.id.replace(/-\d+$/, '')}-${number}`;
  const other = { id, beginnings: moved, targets: targetsWith(part.targets, isMoved) };
  const kept = { ...part, targets: targetsWith(part.targets, (route) => !isMoved(route)) };
  // A distribution takes the first path that matches, so longer paths must be first.
  return [...fitted(other, most, number + 1), kept];
}

/** Adds routes to existing targets, so that a function has one integration in an API. */
function joined(targets: readonly GatewayTarget[], more: readonly GatewayTarget[]): GatewayTarget[] {
  const others = more.filter(({ name }) => !targets.some((target) => target.name === name));
  const same = targets.map((target) => ({
    ...target,
    routes: [...target.routes, ...more.filter(({ name }) => name === target.name).flatMap(({ routes }) => routes)],
  }));
  return [...same, ...others];
}

/** Divides routes by their first segment among APIs. Each API also has the route for unknown paths. */
export function divideRoutes(targets: readonly GatewayTarget[]): GatewayPart[] {
  const forUnknown = targetsWith(targets, ({ isDefault }) => isDefault === true);
  const named = targetsWith(targets, ({ isDefault }) => isDefault !== true);
  const firsts = [...new Set(named.flatMap(({ routes }) => routes.map(firstOf)))];
  const byId = Map.groupBy(firsts, (first) => idOfFirst[first] ?? ownId);
  const parts = [...byId].flatMap(([id, segments]) => {
    const own = targetsWith(named, (route) => segments.includes(firstOf(route)));
    const beginnings = id === ownId ? [] : segments.map((segment) => `/${segment}`);
    return fitted({ id, beginnings, targets: own }, limits.routes - countOf(forUnknown));
  });
  return parts.map((part) => ({ ...part, targets: joined(part.targets, forUnknown) }));
}

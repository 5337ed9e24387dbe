import type { GatewayPart, GatewayRoute, GatewayTarget } from './gateway-route.ts';
import { limits } from './limits.ts';
import { isThrottledByName } from './throttled-routes.ts';

/** Serves `/v1`, or everything in a stage without a distribution. */
const firstId = 'api';
const idOfFirst: Readonly<Record<string, string>> = { v1: firstId, client: 'client-api', management: 'management-api' };
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

/** Moves the largest families into separate APIs, until each API has at most `most` routes. */
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
  // A distribution uses the first path that matches, so longer paths must be first.
  return [...fitted(other, most, number + 1), kept];
}

/** Adds routes to existing targets, so that a function has one integration in an API. */
function joined(targets: readonly GatewayTarget[], more: readonly GatewayTarget[]): GatewayTarget[] {
  const others = more.filter(({ name }) => !targets.some((target) => target.name === name));
  const same = targets.map((target) => {
    const added = more.filter(({ name }) => name === target.name).flatMap(({ routes }) => routes);
    return { ...target, routes: [...target.routes, ...added.filter((route) => !target.routes.includes(route))] };
  });
  return [...same, ...others];
}

/**
 * Divides routes by their first segment among APIs. Each API also has the route for unknown paths. The first API keeps
 * all routes that its stage names, because a stage without a distribution has them there.
 */
export function divideRoutes(targets: readonly GatewayTarget[]): GatewayPart[] {
  const forUnknown = targetsWith(targets, ({ isDefault }) => isDefault === true);
  const named = targetsWith(targets, ({ isDefault }) => isDefault !== true);
  const kept = targetsWith(named, isThrottledByName);
  const firsts = [...new Set(named.flatMap(({ routes }) => routes.map(firstOf)))];
  const byId = Map.groupBy(firsts, (first) => idOfFirst[first] ?? ownId);
  const parts = [...byId].flatMap(([id, segments]) => {
    const own = targetsWith(named, (route) => segments.includes(firstOf(route)));
    const beginnings = id === ownId ? [] : segments.map((segment) => `/${segment}`);
    const foreign = targetsWith(kept, (route) => !segments.includes(firstOf(route)));
    const reserved = countOf(forUnknown) + (id === firstId ? countOf(foreign) : 0);
    return fitted({ id, beginnings, targets: own }, limits.routes - reserved);
  });
  return parts.map((part) => {
    const targets = joined(part.targets, forUnknown);
    return { ...part, targets: part.id === firstId ? joined(targets, kept) : targets };
  });
}

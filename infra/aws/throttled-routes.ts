import { formatRouteKey, type GatewayRoute, type GatewayTarget, type Throttle } from './gateway-route.ts';

/**
 * Lists the routes whose throttles a stage of the gateway sets by their names. API Gateway refuses every change of a
 * stage that names a missing route, and CloudFormation changes the routes first. A route of this list that disappeared
 * would therefore stop an update, and also its rollback. The API named `api` has all of these routes with any options.
 * A route without a function leads to the function for unknown paths.
 *
 * A route joins this list one release after its operation, so that a rollback by one release keeps the route. It never
 * leaves the list.
 */
const keys: Readonly<Record<Throttle, readonly string[]>> = {
  public: [
    '$default',
    'ANY /console',
    'ANY /console/{path+}',
    'ANY /mcp',
    'GET /v1/assets/barcode/{id}',
    'GET /v1/assets/qr/{id}',
  ],
  preflight: ['OPTIONS /client/v1/{path+}'],
  page: [
    'GET /client/v1/promotions/tiers',
    'GET /client/v1/promotions/validation',
    'GET /client/v1/validate',
    'GET /client/v1/vouchers',
    'POST /client/v1/customers',
    'POST /client/v1/events',
    'POST /client/v1/promotions/tiers/{promotionTierId}/redemption',
    'POST /client/v1/publish',
    'POST /client/v1/qualifications',
    'POST /client/v1/redeem',
    'POST /client/v1/redemptions',
    'POST /client/v1/validations',
  ],
  checkout: [
    'POST /v1/campaigns/qualification',
    'POST /v1/loyalties/members/{memberId}/redemption',
    'POST /v1/loyalties/{campaignId}/members/{memberId}/redemption',
    'POST /v1/loyalties/{campaignId}/qualifications',
    'POST /v1/promotions/tiers/{promotionTierId}/redemption',
    'POST /v1/promotions/tiers/{promotionTierId}/validation',
    'POST /v1/promotions/validation',
    'POST /v1/qualifications',
    'POST /v1/redemptions',
    'POST /v1/redemptions/{redemptionId}/rollback',
    'POST /v1/redemptions/{redemptionId}/rollbacks',
    'POST /v1/validations',
    'POST /v1/vouchers/qualification',
    'POST /v1/vouchers/{code}/redemption',
    'POST /v1/vouchers/{code}/validate',
  ],
};

const classes: readonly Throttle[] = ['public', 'preflight', 'page', 'checkout'];

export const throttledRoutes: ReadonlyMap<string, Throttle> = new Map(
  classes.flatMap((throttle) => keys[throttle].map((key) => [key, throttle] as const)),
);

export const isThrottledByName = (route: GatewayRoute): boolean => throttledRoutes.has(formatRouteKey(route));

/** Lets the function for unknown paths serve each route of the list that no other function serves. */
export function keepThrottledRoutes(targets: readonly GatewayTarget[]): readonly GatewayTarget[] {
  const served = new Set(targets.flatMap(({ routes }) => routes.map(formatRouteKey)));
  const missing = [...throttledRoutes].flatMap(([key, throttle]): GatewayRoute[] => {
    const [method = '', path] = key.split(' ');
    return served.has(key) || path === undefined ? [] : [{ method, path, isPublic: true, throttle }];
  });
  return targets.map((target) =>
    target.routes.some(({ isDefault }) => isDefault) ? { ...target, routes: [...target.routes, ...missing] } : target,
  );
}

import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { type DeployedOperation, deployedOperations } from '../../infra/aws/deployed-functions.ts';
import { consolePaths } from '../../infra/console/handler.ts';
import { mcpPath } from '../../infra/mcp/tool.ts';
import { deployed, gatewayOf } from '../support/stack.ts';

const keyOf = ({ route }: DeployedOperation) => `${route.method} ${route.path}`;
const docsKeys = [...consolePaths.map((path) => `ANY ${path}`), '$default'];
const preflightKey = 'OPTIONS /client/v1/{path+}';

describe('a throttle of its own', () => {
  const keysOf = (...wanted: string[]) =>
    deployedOperations.filter(({ route }) => wanted.includes(route.authentication)).map(keyOf);
  const open = [...keysOf('none'), ...docsKeys];
  const pages = keysOf('client');
  const checkouts = [
    'POST /v1/promotions/tiers/{promotionTierId}/redemption',
    'POST /v1/promotions/tiers/{promotionTierId}/validation',
    'POST /v1/promotions/validation',
    'POST /v1/qualifications',
    'POST /v1/redemptions',
    'POST /v1/redemptions/{redemptionId}/rollback',
    'POST /v1/redemptions/{redemptionId}/rollbacks',
    'POST /v1/validations',
    'POST /v1/vouchers/{code}/redemption',
    'POST /v1/vouchers/{code}/validate',
  ];

  const throttles = v.record(
    v.string(),
    v.object({
      ThrottlingRateLimit: v.number(),
      ThrottlingBurstLimit: v.number(),
      DetailedMetricsEnabled: v.boolean(),
    }),
  );
  function settingsIn(kind: 'plain' | 'full') {
    const [stage] = Object.values(deployed(kind).template.findResources('AWS::ApiGatewayV2::Stage'));
    const { RouteSettings, DefaultRouteSettings } = stage?.Properties ?? {};
    return {
      own: v.parse(throttles, RouteSettings),
      shared: v.parse(throttles, { shared: DefaultRouteSettings }).shared,
    };
  }

  test.each([
    ['dev', 'plain'],
    ['prod', 'full'],
  ] as const)('has each open path and each path of a till in %s', (_, kind) => {
    const { own, shared } = settingsIn(kind);
    const rateOf = (key: string) => own[key]?.ThrottlingRateLimit ?? 0;
    // A till's path may also be a path of loyalty programmes or an older path.
    expect(Object.keys(own)).toEqual(expect.arrayContaining([...open, ...pages, ...checkouts, preflightKey]));
    const others = Object.keys(own).filter((key) => ![...open, ...pages, preflightKey, `ANY ${mcpPath}`].includes(key));
    const DetailedMetricsEnabled = kind === 'full';
    for (const key of others) expect([key, own[key]]).toEqual([key, { ...shared, DetailedMetricsEnabled }]);
    for (const key of others) expect(key).toMatch(/^POST \/v1\/.*(redemption|validat|qualification|rollback)/);
    for (const key of [...pages, preflightKey]) {
      expect([key, rateOf(key) < (shared?.ThrottlingRateLimit ?? 0)]).toEqual([key, true]);
    }
    for (const key of open) expect([key, rateOf(key) < rateOf(preflightKey)]).toEqual([key, true]);
    expect(pages.length).toBeGreaterThan(5);
  });

  test('measures checkouts by route with full monitoring, and no other path', () => {
    const plain = Object.values(settingsIn('plain').own);
    expect(plain.filter(({ DetailedMetricsEnabled }) => DetailedMetricsEnabled)).toEqual([]);
    const { own, shared } = settingsIn('full');
    const measured = Object.keys(own).filter((key) => own[key]?.DetailedMetricsEnabled);
    expect(measured).toEqual(expect.arrayContaining(checkouts));
    for (const key of measured) expect(key).toMatch(/^POST \/v1\/.*(redemption|validat|qualification|rollback)/);
    expect(shared?.DetailedMetricsEnabled).toBe(false);
  });

  test('keeps floods with wrong credentials on other paths away from the tills', () => {
    const { own } = settingsIn('full');
    const shared = deployedOperations.map(keyOf).filter((key) => !(key in own));
    expect(shared).toContain('GET /v1/vouchers/{code}');
    expect(shared.filter((key) => checkouts.includes(key))).toEqual([]);
  });

  test('and a separate function serve preflights, so that no flood on the docs stops browsers', () => {
    const { integration } = gatewayOf(deployed().template).routes.find(({ key }) => key === preflightKey) ?? {};
    expect(integration).toBe('preflights');
    expect(gatewayOf(deployed().template).routes.filter((one) => one.integration === 'preflights')).toHaveLength(1);
  });
});

import { expect, test } from 'vitest';
import { routes } from '../../../infra/operations.ts';
import { isOfPublicSurface } from '../../../lib/http/public-surface.ts';
import { pageMeant, unknownPathError } from '../../../lib/http/unknown-path.ts';

test.each(['/v1', '/v1/vouchers/', '/v2/vouchers/A', '/v1/vouchers/A/b/c', '/v1/VOUCHERS/A', '//'])(
  'no operation has the path %s: not_found',
  (path) => {
    const { key, details } = unknownPathError(routes, { method: 'GET', path });
    expect(key).toBe('not_found');
    expect(details).toBe('no operation has this path; /openapi.json has what is served, /docs shows it');
  },
);

test.each([
  ['POST', '/v1/qualifications'],
  ['POST', '/v1/vouchers/qualification'],
  ['POST', '/v1/loyalties/camp_crew/qualifications'],
  ['POST', '/client/v1/qualifications'],
  ['PUT', '/management/v1/projects/proj_demo/webhooks/wh_1'],
])('%s %s is no typo: not_found says that it is not served here yet', (method, path) => {
  const { key, details } = unknownPathError(routes, { method, path });
  expect(key).toBe('not_found');
  expect(details).toContain('not served here yet; /openapi.json');
});

/** Operations of ours that the public interface lacks: an operator ends all sessions of something. */
const ours = ['/v1/campaigns/{campaignId}', '/v1/promotions/tiers/{promotionTierId}', '/v1/vouchers/{code}'].map(
  (path) => `${path}/sessions`,
);

test('all that is served is of the public surface, or ours', () => {
  expect(routes.map(({ path }) => path).filter((path) => !isOfPublicSurface(path))).toEqual(ours);
});

test.each(['/', '/docs/'])('%s leads a browser to the docs', (path) => {
  expect(pageMeant({ method: 'GET', path })).toBe('/docs');
  expect(pageMeant({ method: 'POST', path })).toBeUndefined();
});

test.each([
  ['DELETE', '/v1/vouchers/A/transactions', 'GET'],
  ['GET', '/v1/vouchers/A/enable', 'POST'],
  ['POST', '/v1/assets/qr/x', 'GET'],
  ['OPTIONS', '/v1/vouchers/A/transactions', 'GET'],
])('%s %s is method_not_allowed and says what the path takes', (method, path, allow) => {
  const { key, headers, details } = unknownPathError(routes, { method, path });
  expect([key, headers.Allow]).toEqual(['method_not_allowed', allow]);
  expect(details).toContain(allow);
});

import { describe, expect, test } from 'vitest';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler as disableHandler } from '../../functions/campaigns/disable-campaign.ts';
import { handler as enableHandler } from '../../functions/campaigns/enable-campaign.ts';
import { handler as getHandler } from '../../functions/campaigns/get-campaign.ts';
import { handler } from '../../functions/campaigns/list-campaigns.ts';
import { handler as updateHandler } from '../../functions/campaigns/update-campaign.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { campaignEntry, giftCampaign } from '../support/lists.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const clock = standingClock();
const dependencies = testDependencies({ clock });
const list = caller(handler, dependencies);

const coupons = { campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher: { type: 'DISCOUNT_VOUCHER' } };
const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;

const campaigns = [
  { ...coupons, id: 'camp_a', name: 'A', created_at: at(1), category: 'One', metadata: { area: 'north' } },
  { ...coupons, id: 'camp_b', name: 'B', created_at: at(2), active: false, updated_at: at(9) },
  { ...coupons, id: 'camp_c', name: 'C', created_at: at(3), expiration_date: at(4), creation_status: 'FAILED' },
  { ...coupons, id: 'camp_d', name: 'D', created_at: at(4), start_date: '2027-01-01T00:00:00Z', type: 'STATIC' },
  giftCampaign('camp_e', 'E', { amount: 100 }, { created_at: at(5) }),
  campaignEntry('camp_f', 'F', 'REFERRAL_PROGRAM', { created_at: at(6), voucher: { type: 'DISCOUNT_VOUCHER' } }),
  campaignEntry('camp_g', 'G', 'PROMOTION', { created_at: at(7), access_settings_assignments: {} }),
];

const file = {
  categories: [{ id: 'cat_1', name: 'One', hierarchy: 1 }],
  campaigns,
  promotion_tiers: [{ id: 'promo_1', name: 'First', campaign_id: 'camp_g', hierarchy: 1 }],
  validation_rules: [{ id: 'val_1', name: 'Rule' }],
};

const project = await loadProject(file);

const listed = async (query: string, of = project) => {
  const { status, body } = await list({ headers: of.credentials, query });
  expect(status).toBe(200);
  return body;
};

const names = async (query: string) => {
  const { campaigns, total } = await listed(`limit=100&${query}`);
  expect(total).toBe(campaigns.length);
  return campaigns.map(({ name }: { name: string }) => name).join('');
};

describe('campaigns are listed', () => {
  test.each([
    ['', 'GFEDCBA'],
    ['order=created_at', 'ABCDEFG'],
    ['order=-updated_at', 'BGFEDCA'],
    ['campaign_type=GIFT_VOUCHERS', 'E'],
    ['campaign_type=LOYALTY_PROGRAM', ''],
    ['campaign_status=FAILED', 'C'],
    ['is_referral_code=true', 'F'],
    ['is_referral_code=false&campaign_type=REFERRAL_PROGRAM', ''],
    ['filters[campaigns][conditions][$starts_with]=A', 'A'],
    ['filters[campaigns_id][conditions][$in][0]=camp_a&filters[campaigns_id][conditions][$in][1]=camp_d', 'DA'],
    ['filters[status][$failed]=true', 'C'],
    ['filters[status][before_start]=true', 'D'],
    ['filters[status][$active]=true', 'GFEA'],
    ['filters[status][$in_progress]=true', ''],
    ['filters[active][$enabled]=true', 'GFEDCA'],
    ['filters[active][$disabled]=true', 'B'],
    ['filters[active][$expired]=true', 'C'],
    ['filters[voucher_type][conditions][$is]=GIFT_VOUCHER', 'E'],
    ['filters[categories][conditions][$contains]=One', 'A'],
    ['filters[category_ids][conditions][$is]=cat_1', 'A'],
    ['filters[type][conditions][$is]=AUTO_UPDATE', 'CBA'],
    ['filters[created_date][conditions][$after]=2026-01-05T12:00:00Z', 'GF'],
    ['filters[metadata.area][conditions][$is]=north', 'A'],
    [
      'filters[type][conditions][$is]=AUTO_UPDATE&filters[is_referral_code][conditions][$is]=true&filters[junction]=or',
      'FCBA',
    ],
  ])('%s: %s', async (query, wanted) => {
    expect(await names(query)).toBe(wanted);
  });

  test('with the fields of a single campaign, but without tiers and rules, and with the category only on request', async () => {
    const { campaigns } = await listed('order=created_at');
    const get = async (campaignId: string) =>
      (await caller(getHandler, dependencies)({ params: { campaignId }, headers: project.credentials })).body;
    const { validation_rules_assignments, category, ...whole } = await get('camp_a');
    expect(campaigns[0]).toEqual({ ...whole, categories: [] });
    expect(campaigns[6]).not.toHaveProperty('promotion');
    const expanded = await listed('order=created_at&expand=category,access_settings_assignments');
    expect(expanded.campaigns[0]).toEqual({ ...whole, category });
  });

  test('with their areas and stores only on request', async () => {
    const features = { areas_and_stores: true };
    const chain = await loadProject({ project: { id: `${project.id}-chain`, name: 'Chain', features } });
    const body = { access_settings: { assign: { areas_ids: ['ar_1'] } } };
    await caller(createHandler, dependencies)({ headers: chain.credentials, body });
    expect((await listed('', chain)).campaigns[0]).not.toHaveProperty('access_settings_assignments');
    const [shown] = (await listed('expand=access_settings_assignments', chain)).campaigns;
    expect(shown.access_settings_assignments).toMatchObject({ total: 1, data: [{ area_id: 'ar_1' }] });
  });

  test.each([
    ['campaign_type=LUCKY_DRAW', 'campaign_type'],
    ['expand=vouchers', 'expand'],
    ['filters[colour][conditions][$is]=red', 'filters.colour'],
    ['filters[status][$gone]=true', 'filters.status'],
  ])('and %s is a 400 that names the place', async (query, place) => {
    const { status, body } = await list({ headers: project.credentials, query });
    expect([status, body.key]).toEqual([400, 'invalid_query_params']);
    expect(body.details).toContain(place);
  });
});

describe('switching a campaign', () => {
  const request = (campaignId: string, of: TestProject) => ({ params: { campaignId }, headers: of.credentials });
  const disable = caller(disableHandler, dependencies);
  const enable = caller(enableHandler, dependencies);
  const get = caller(getHandler, dependencies);

  test('by id or name answers {}, and shows at once; without a change, updated_at stays', async () => {
    const own = await loadProject(file);
    expect(await disable(request('camp_a', own))).toMatchObject({ status: 200, body: {} });
    const off = (await get(request('camp_a', own))).body;
    expect(off).toMatchObject({ active: false, updated_at: clock().toISOString() });
    expect((await listed('order=-updated_at', own)).campaigns[0].name).toBe('A');
    clock.advance(60);
    expect((await disable(request('A', own))).status).toBe(200);
    expect((await get(request('A', own))).body).toEqual(off);
    expect(await enable({ ...request('A', own), body: {} })).toMatchObject({ status: 200, body: {} });
    expect((await get(request('A', own))).body).toMatchObject({ active: true, updated_at: clock().toISOString() });
  });

  test('moves it in the order of changes, and so does an update', async () => {
    const own = await loadProject({ campaigns: campaigns.slice(1, 4) });
    clock.advance(60);
    await enable(request('camp_b', own));
    clock.advance(60);
    await caller(updateHandler, dependencies)({ ...request('camp_d', own), body: { description: 'New' } });
    const { campaigns: found } = await listed('order=-updated_at', own);
    expect(found.map(({ name }: { name: string }) => name).join('')).toBe('DBC');
  });

  test('an unknown campaign, or one of another project, is a 404', async () => {
    const other = await loadProject();
    for (const call of [enable, disable]) {
      const reply = await call(request('camp_a', other));
      expect([reply.status, reply.body.key, reply.body.resource_type]).toEqual([404, 'not_found', 'campaign']);
    }
  });
});

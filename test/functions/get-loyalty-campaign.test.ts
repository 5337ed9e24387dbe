import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/loyalties/get-loyalty-campaign.ts';
import { caller } from '../support/call.ts';
import { programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';

const loyalty_tiers_expiration = {
  qualification_type: 'BALANCE',
  start_date: { type: 'IMMEDIATE' },
  expiration_date: { type: 'CUSTOM', extend: 'P3M', rounding: { type: 'MONTH', strategy: 'END' } },
};

const project = await loadProject({
  categories: [{ id: 'cat_1', name: 'Members' }],
  campaigns: [
    programme('camp_club', {
      name: 'Our Club #1/\u00e9',
      category: 'Members',
      auto_join: true,
      loyalty_tiers_expiration,
    }),
    programme('camp_named', { name: 'camp_club' }),
    { id: 'camp_coupons', name: 'Coupons', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
  ],
});

const get = (campaignId: string, headers = project.credentials) => caller(handler)({ params: { campaignId }, headers });

test('a loyalty campaign is found by id and by name, and the id wins', async () => {
  const { status, body } = await get('camp_club');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: 'camp_club',
    name: 'Our Club #1/\u00e9',
    campaign_type: 'LOYALTY_PROGRAM',
    auto_join: true,
    join_once: true,
    category: 'Members',
    categories: [{ id: 'cat_1' }],
    loyalty_tiers_expiration,
    object: 'campaign',
  });
  expect((await get('Our Club #1/\u00e9')).body).toEqual(body);
});

describe('404', () => {
  test.each(['camp_nope', 'camp_coupons', 'Coupons', 'our club #1/\u00e9'])('for %s', async (campaignId) => {
    const { status, body } = await get(campaignId);
    expect([status, body.key, body.resource_id]).toEqual([404, 'not_found', campaignId]);
  });
});

test('401 without credentials', async () => {
  expect((await get('camp_club', {})).body.key).toBe('unauthorized');
});

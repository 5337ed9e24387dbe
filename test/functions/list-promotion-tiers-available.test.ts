import { expect, test } from 'vitest';
import { handler as campaignHandler } from '../../functions/promotions/list-campaign-promotion-tiers.ts';
import { handler as listHandler } from '../../functions/promotions/list-promotion-tiers.ts';
import { caller } from '../support/call.ts';
import { testTime } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';
import { unusable, unusableNames } from '../support/unusable.ts';

const past = '2026-06-01T00:00:00.000Z';
const future = '2026-07-01T00:00:00.000Z';
const now = testTime.toISOString();

const campaign = { campaign_type: 'PROMOTION', type: 'AUTO_UPDATE' };
const tier = (campaign_id: string, id: string, fields: object = {}) => ({
  id,
  name: id,
  campaign_id,
  hierarchy: 1,
  created_at: now,
  ...fields,
});

const list = (query: string, headers: Record<string, string>) => caller(listHandler)({ query, headers });
const idsOf = (body: { tiers: { id: string }[] }) => body.tiers.map(({ id }) => id);

test('is_available separates enabled tiers of enabled campaigns from all others', async () => {
  const on = { ...campaign, type: 'STATIC' };
  const own = await loadProject({
    campaigns: [
      { ...on, id: 'camp_on', name: 'On', start_date: past, expiration_date: future },
      { ...on, id: 'camp_off', name: 'Off', active: false },
      { ...on, id: 'camp_early', name: 'Early', start_date: future },
      { ...on, id: 'camp_late', name: 'Late', expiration_date: past },
    ],
    promotion_tiers: [
      tier('camp_on', 'a_plain'),
      tier('camp_on', 'b_dated', { start_date: past, expiration_date: future }),
      tier('camp_on', 'c_from_now', { start_date: now }),
      tier('camp_on', 'd_until_now', { expiration_date: now }),
      tier('camp_on', 'e_off', { active: false }),
      tier('camp_on', 'f_before_start', { start_date: future }),
      tier('camp_on', 'g_after_end', { expiration_date: past }),
      tier('camp_off', 'h_campaign_off'),
      tier('camp_early', 'i_campaign_before_start'),
      tier('camp_late', 'j_campaign_after_end'),
    ],
  });
  const available = ['a_plain', 'b_dated', 'c_from_now', 'd_until_now'];
  const not = [
    'e_off',
    'f_before_start',
    'g_after_end',
    'h_campaign_off',
    'i_campaign_before_start',
    'j_campaign_after_end',
  ];
  const read = async (query: string) => (await list(query, own.credentials)).body;
  expect(idsOf(await read('is_available=true'))).toEqual(available);
  expect(idsOf(await read('is_available=false'))).toEqual(not);
  expect(await read('is_available=true&limit=3&page=2')).toMatchObject({ total: 4, has_more: false });
  expect(await read('is_available=false&limit=3&page=1')).toMatchObject({ total: 6, has_more: true });
  expect(idsOf(await read('is_available=false&limit=4&page=2&order=-created_at'))).toEqual(['f_before_start', 'e_off']);
  const inCampaign = async (campaignId: string, query: string) =>
    idsOf((await caller(campaignHandler)({ params: { campaignId }, query, headers: own.credentials })).body);
  expect(await inCampaign('camp_on', 'is_available=true')).toEqual(available);
  expect(await inCampaign('camp_off', 'is_available=true')).toEqual([]);
  expect(await inCampaign('camp_off', 'is_available=false')).toEqual(['h_campaign_off']);
});

test('is_available also checks timeframe, days and hours, of the tier and of its campaign', async () => {
  const own = await loadProject({
    campaigns: [
      { ...campaign, id: 'camp_on', name: 'On' },
      ...unusableNames.map((state) => ({ ...campaign, id: `camp_${state}`, name: state, ...unusable[state].fields })),
    ],
    promotion_tiers: [
      tier('camp_on', 'on'),
      ...unusableNames.flatMap((state) => [
        tier(`camp_${state}`, `of_${state}`),
        tier('camp_on', `self_${state}`, unusable[state].fields),
      ]),
    ],
  });
  const read = async (query: string) => (await list(query, own.credentials)).body;
  expect(idsOf(await read('is_available=true'))).toEqual(['on']);
  expect((await read('is_available=false')).total).toBe(2 * unusableNames.length);
});

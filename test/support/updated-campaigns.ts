import { handler as getHandler } from '../../functions/campaigns/get-campaign.ts';
import { handler as updateHandler } from '../../functions/campaigns/update-campaign.ts';
import { caller } from './call.ts';
import { campaignEntry, giftCampaign } from './lists.ts';
import { loadProject } from './project.ts';

export const coupons = {
  type: 'STATIC',
  campaign_type: 'DISCOUNT_COUPONS',
  voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
};

/** One campaign of each kind that an update treats differently. */
export const campaigns = [
  {
    ...coupons,
    id: 'camp_dated',
    name: 'Dated',
    category: 'One',
    description: 'text',
    start_date: '2026-03-01T00:00:00Z',
    expiration_date: '2026-05-01T00:00:00Z',
    validity_timeframe: { interval: 'P2D', duration: 'P1D' },
    validity_day_of_week: [1],
    validity_hours: { daily: [{ start_time: '10:00', expiration_time: '11:00' }] },
    activity_duration_after_publishing: 'P1D',
  },
  { ...coupons, id: 'camp_alone', name: 'Alone', type: 'STANDALONE' },
  campaignEntry('camp_club', 'Club', 'LOYALTY_PROGRAM', { voucher: { type: 'LOYALTY_CARD' } }),
  giftCampaign('camp_gifts', 'Gifts', { amount: 500, effect: 'APPLY_TO_ITEMS' }, { type: 'AUTO_UPDATE' }),
  {
    ...coupons,
    id: 'camp_friends',
    name: 'Friends',
    campaign_type: 'REFERRAL_PROGRAM',
    referral_program: { conversion_event_type: 'redemption' },
  },
  { ...coupons, id: 'camp_busy', name: 'Busy' },
];

/** Loads a project with campaigns. Returns the calls that update and show them. */
export async function openCampaigns(lists: Record<string, unknown>) {
  const project = await loadProject({ categories: [{ id: 'cat_1', name: 'One' }], ...lists });
  const headers = project.credentials;
  const update = caller(updateHandler);
  return {
    project,
    update: (campaignId: string, body: unknown) => update({ params: { campaignId }, headers, body }),
    read: async (campaignId: string) => (await caller(getHandler)({ params: { campaignId }, headers })).body,
  };
}

import { beforeAll, describe, expect, test } from 'vitest';
import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { handler as voucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { type Operation, operations } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { loadDemo } from '../support/demo.ts';
import { loadProject, type TestProject } from '../support/project.ts';

const coupons = { campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' };
const cards = { campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' };
const coupon = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 } };
const card = { type: 'LOYALTY_CARD', loyalty_card: { points: 5 } };

const project = await loadProject({
  campaigns: [
    { id: 'camp_club', name: 'Club', ...cards },
    { id: 'camp_other', name: 'Other', ...cards },
    { id: 'camp_spring', name: 'Spring', ...coupons },
  ],
  vouchers: [
    { code: 'CARD', campaign_id: 'camp_club', ...card },
    { code: 'OTHERS', campaign_id: 'camp_other', ...card },
    { code: 'ALONE', ...coupon },
    { code: 'SPRING', campaign_id: 'camp_spring', ...coupon },
  ],
});

const paths = operations.filter(({ route: { path } }) => /^\/v1\/loyalties\/.*\{memberId\}/.test(path));
const withCampaign = paths.filter(({ route: { path } }) => path.includes('{campaignId}'));

async function refusal({ handler, route }: Operation, named: Readonly<Record<string, string>>) {
  const { example } = route;
  const request = { ...example, params: { ...example.params, ...named } };
  const { status, body } = await caller(handler)({ ...request, headers: project.credentials });
  return [status, body.key, body.resource_type, body.resource_id];
}

describe.each(paths)('$name answers 404', (operation) => {
  test.each(['NOPE', 'v_nope', 'ALONE', 'SPRING'])('for %s, which is not a card', async (memberId) => {
    const named = { campaignId: 'camp_club', memberId };
    expect(await refusal(operation, named)).toEqual([404, 'not_found', 'voucher', memberId]);
  });
});

describe.each(withCampaign)('$name answers 404', (operation) => {
  test.each(['camp_nope', 'Spring'])('for the campaign %s, which is not a programme', async (campaignId) => {
    const named = { campaignId, memberId: 'SPRING' };
    expect(await refusal(operation, named)).toEqual([404, 'not_found', 'campaign', campaignId]);
  });

  test('for a card of another programme', async () => {
    const named = { campaignId: 'Club', memberId: 'OTHERS' };
    expect(await refusal(operation, named)).toEqual([404, 'not_found', 'voucher', 'OTHERS']);
  });
});

test('a card is deleted with its programme, for every path', async () => {
  const own = await loadProject({
    campaigns: [{ id: 'camp_club', name: 'Club', ...cards }],
    vouchers: [{ code: 'CARD', campaign_id: 'camp_club', ...card }],
    pending_points: [{ id: 'lopp_1', code: 'CARD', points: 3 }],
  });
  const headers = own.credentials;
  const deleted = { params: { campaignId: 'camp_club' }, query: 'force=true', headers };
  expect((await caller(deleteCampaign)(deleted)).status).toBeLessThan(300);
  for (const { handler, route } of paths) {
    const params = { ...route.example.params, campaignId: 'camp_club', memberId: 'CARD', pendingPointsId: 'lopp_1' };
    const { body, query } = route.example;
    const reply = await caller(handler)({ params, headers, body, ...(query === undefined ? {} : { query }) });
    expect([route.path, reply.status, reply.body.key]).toEqual([route.path, 404, 'not_found']);
  }
});

describe('a card is found by its id as well as by its code', () => {
  let demo: TestProject;
  beforeAll(async () => {
    demo = await loadDemo();
  });

  test.each(paths.filter(({ route: { method } }) => method === 'GET'))(
    'by $name',
    async ({ handler, route: { example } }) => {
      const headers = demo.credentials;
      const { memberId: code = '' } = example.params ?? {};
      const { id } = (await caller(voucherHandler)({ params: { code }, headers })).body;
      const get = async (memberId: string) =>
        (await caller(handler)({ ...example, params: { ...example.params, memberId }, headers })).body;
      expect(await get(id)).toEqual(await get(code));
    },
  );
});

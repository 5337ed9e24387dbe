import { describe, expect, test } from 'vitest';
import { handler as createCampaign } from '../../../functions/create-campaign.ts';
import { handler as transferPoints } from '../../../functions/transfer-points.ts';
import { handler as updateCampaign } from '../../../functions/update-campaign.ts';
import { handler as updateTier } from '../../../functions/update-promotion-tier.ts';
import { caller } from '../../support/call.ts';
import { loadDemo } from '../../support/demo.ts';

const calls = {
  'create-campaign': caller(createCampaign),
  'update-campaign': caller(updateCampaign),
  'update-promotion-tier': caller(updateTier),
  'transfer-points': caller(transferPoints),
};

const params = {
  'create-campaign': {},
  'update-campaign': { campaignId: 'Early tide' },
  'update-promotion-tier': { promotionTierId: 'promo_two_bags' },
  'transfer-points': { campaignId: 'camp_crew', memberId: 'CREW-OLUF' },
};

const half = '\ud800';
const entry = { code: 'CREW-INGRID', points: 1, source_id: 'tx-1' };

let deep: unknown = 1;
for (let level = 0; level < 60; level++) deep = { a: deep };

describe('what the table cannot keep is the mistake of the caller, told by its place:', () => {
  test.each<[keyof typeof calls, unknown, string]>([
    ['create-campaign', { description: half }, 'description must be well-formed Unicode'],
    ['update-campaign', { description: half }, 'description must be well-formed Unicode'],
    [
      'update-campaign',
      { discount: { type: 'UNIT', unit_type: half } },
      'discount.unit_type must be well-formed Unicode',
    ],
    [
      'update-campaign',
      { discount: { type: 'PERCENT', percent_off: 5e-324 } },
      'discount.percent_off must have numbers',
    ],
    ['update-promotion-tier', { name: half, banner: half }, 'name must be well-formed Unicode; banner must be well'],
    ['transfer-points', [entry, { ...entry, source_id: 'b', reason: half }], '[1].reason must be well-formed Unicode'],
    ['create-campaign', { access_settings: { a: 1e300 } }, 'access_settings must have numbers'],
    ['update-campaign', { access_settings: { a: { '': 1 } } }, 'access_settings must not have an empty key'],
    ['update-campaign', { access_settings: deep }, 'access_settings must be nested at most'],
    ['create-campaign', { description: 'x'.repeat(500_000) }, 'the body would make the campaign larger than'],
    ['update-campaign', { description: 'x'.repeat(500_000) }, 'the body would make the campaign larger than'],
    ['update-promotion-tier', { banner: 'x'.repeat(500_000) }, 'the body would make the promotion tier larger than'],
  ])('%s', async (operation, body, details) => {
    const { credentials: headers } = await loadDemo();
    const reply = await calls[operation]({ params: params[operation], headers, body });
    expect(reply).toMatchObject({
      status: 400,
      body: { key: 'invalid_payload', details: expect.stringContaining(details) },
    });
  });

  test('however deep a body is', async () => {
    const { credentials } = await loadDemo();
    const headers = { ...credentials, 'content-type': 'application/json' };
    const nested = '['.repeat(200_000) + ']'.repeat(200_000);
    const send = (operation: keyof typeof calls) =>
      calls[operation]({ params: params[operation], headers, body: nested });
    expect(await send('update-campaign')).toMatchObject({ status: 400, body: { key: 'invalid_payload' } });
    expect(await send('transfer-points')).toMatchObject({ status: 400, body: { key: 'invalid_payload' } });
  });

  test('but of a field that no one knows', async () => {
    const { credentials: headers } = await loadDemo();
    const body = { colour: half, size: { '': 5e-324, deep } };
    expect(await calls['update-campaign']({ params: params['update-campaign'], headers, body })).toMatchObject({
      status: 200,
    });
  });
});

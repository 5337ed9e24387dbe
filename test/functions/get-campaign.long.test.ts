import { expect, test } from 'vitest';
import { newMerchant } from '../support/merchant.ts';

test('a promotion shows as many of its tiers as a reply has room for', async () => {
  const metadata = { text: '"'.repeat(25_000) };
  const long = await newMerchant({
    campaigns: [{ id: 'camp_1', name: 'Long', campaign_type: 'PROMOTION', type: 'STATIC' }],
    promotion_tiers: Array.from({ length: 70 }, (_, index) => ({
      ...{ id: `promo_${index}`, name: `Tier ${index}`, campaign_id: 'camp_1', hierarchy: index + 1, metadata },
      action: { discount: { type: 'PERCENT', percent_off: 1 } },
    })),
  });
  const { status, body } = await long.get('camp_1');
  expect([status, body.promotion.total, body.promotion.has_more]).toEqual([200, 70, true]);
  expect(body.promotion.tiers.map(({ hierarchy }: { hierarchy: number }) => hierarchy)).toEqual(
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
});

test('an unknown campaign is a 404 by id and by name, also if another project has it', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant({})];
  const { body } = await other.create({ name: 'Mine' });
  for (const campaignId of ['Mine', body.id, 'camp_nope', '', 'x'.repeat(3_000)]) {
    const reply = await merchant.get(campaignId);
    expect([reply.status, reply.body.key, reply.body.resource_type]).toEqual([404, 'not_found', 'campaign']);
  }
});

import { expect, test } from 'vitest';
import { newMerchant } from '../support/merchant.ts';

test('an unknown campaign is a 404 by id and by name, also where another project has it', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant({})];
  const { body } = await other.create({ name: 'Mine' });
  for (const campaignId of ['Mine', body.id, 'camp_nope', '', 'x'.repeat(3_000)]) {
    const reply = await merchant.get(campaignId);
    expect([reply.status, reply.body.key, reply.body.resource_type]).toEqual([404, 'not_found', 'campaign']);
  }
});

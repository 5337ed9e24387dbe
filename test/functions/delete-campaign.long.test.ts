import { describe, expect, test } from 'vitest';
import { handler as addNamedHandler } from '../../functions/campaigns/add-voucher-with-code.ts';
import { handler as createHandler } from '../../functions/campaigns/create-campaign.ts';
import { handler as getHandler } from '../../functions/campaigns/get-campaign.ts';
import { handler as listHandler } from '../../functions/campaigns/list-campaigns.ts';
import { handler as transactionsHandler } from '../../functions/loyalties/list-member-transactions.ts';
import { handler as getTierHandler } from '../../functions/promotions/get-promotion-tier.ts';
import { handler as listTiersHandler } from '../../functions/promotions/list-promotion-tiers.ts';
import { handler as updateTierHandler } from '../../functions/promotions/update-promotion-tier.ts';
import { handler as publishHandler } from '../../functions/publications/create-publication.ts';
import { handler as purgeHandler } from '../../functions/trash-bin/delete-trash-bin-entry.ts';
import { handler as binHandler } from '../../functions/trash-bin/list-trash-bin.ts';
import { handler as createVoucherHandler } from '../../functions/vouchers/create-voucher-with-code.ts';
import { handler as disableVoucherHandler } from '../../functions/vouchers/disable-voucher.ts';
import { handler as getVoucherHandler } from '../../functions/vouchers/get-voucher.ts';
import { handler as listVouchersHandler } from '../../functions/vouchers/list-voucher-transactions.ts';
import { type Handler, newWorld, percent, type World } from '../support/deleted-campaigns.ts';
import { programme } from '../support/loyalty.ts';
import { itemsOf } from '../support/outbox.ts';

const coupons = { campaign_type: 'DISCOUNT_COUPONS', type: 'AUTO_UPDATE', voucher: { type: 'DISCOUNT_VOUCHER' } };

const club = {
  categories: [{ id: 'cat_1', name: 'One', hierarchy: 1 }],
  campaigns: [
    { ...coupons, id: 'camp_other', name: 'Other' },
    programme('camp_club', { name: 'Club' }),
    { id: 'camp_tiers', name: 'Tiers', campaign_type: 'PROMOTION', type: 'STATIC' },
    { ...coupons, id: 'camp_kept', name: 'Kept', protected: true },
  ],
  vouchers: [
    { code: 'OTHER', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_other' },
    { code: 'LOOSE', type: 'DISCOUNT_VOUCHER' },
    { code: 'CARD', type: 'LOYALTY_CARD', campaign_id: 'camp_club', holder_id: 'cust_1', loyalty_card: { points: 50 } },
  ],
  customers: [{ id: 'cust_1', name: 'One' }],
  event_schema: [{ name: 'visit', metadata: {} }],
  loyalty_tiers: [{ id: 'ltr_1', name: 'Tier', campaign_id: 'camp_club', points: { from: 0 } }],
  earning_rules: [
    { id: 'ern_1', campaign_id: 'camp_club', event: 'visit', active: true, loyalty: { type: 'FIXED', points: 5 } },
  ],
  rewards: [{ id: 'rew_1', name: 'Mug', type: 'MATERIAL', parameters: {} }],
  reward_assignments: [
    { id: 'rewa_1', reward_id: 'rew_1', related_object_id: 'camp_club', related_object_type: 'campaign' },
  ],
  promotion_tiers: [{ id: 'promo_1', name: 'First', campaign_id: 'camp_tiers', hierarchy: 1 }],
};

describe('a deleted campaign', () => {
  test('is found by nobody at once, nor are its cards; then nothing is left, and other campaigns keep everything', async () => {
    const world = await newWorld(club);
    const publish = { campaign: { name: 'Other', count: 1 }, customer: { id: 'cust_1' }, source_id: 'first' };
    expect((await world.ask(publishHandler, {}, { body: publish })).status).toBe(200);
    const others = async () =>
      (await world.items()).filter(
        (item) => JSON.stringify(item).includes('camp_other') && !/JOB|ACTIVIT/.test(String(item.pk) + item.sk),
      );
    const before = await others();
    const { status, body } = await world.remove('Club');
    expect([status, body]).toEqual([202, { async_action_id: expect.stringMatching(/^aa_/) }]);

    for (const [handler, params, type] of [
      [getHandler, { campaignId: 'camp_club' }, 'campaign'],
      [getHandler, { campaignId: 'Club' }, 'campaign'],
      [getVoucherHandler, { code: 'CARD' }, 'voucher'],
      [disableVoucherHandler, { code: 'CARD' }, 'voucher'],
      [listVouchersHandler, { code: 'CARD' }, 'voucher'],
      [transactionsHandler, { memberId: 'CARD' }, 'voucher'],
      [addNamedHandler, { campaignId: 'Club', code: 'NEW' }, 'campaign'],
    ] as [Handler, Record<string, string>, string][]) {
      const reply = await world.ask(handler, params);
      expect([reply.status, reply.body.resource_type]).toEqual([404, type]);
    }
    expect((await world.remove('camp_club')).status).toBe(404);
    const listed = await world.ask(listHandler, {});
    expect(listed.body.campaigns.map(({ name }: { name: string }) => name)).not.toContain('Club');

    await world.run();
    expect(await world.leftOf('camp_club')).toEqual([]);
    expect(await others()).toEqual(before);
    expect(await world.resultOf(body.async_action_id)).toEqual(['CAMPAIGN.VOUCHERS_DELETE', 'DONE', 1]);
    expect((await world.ask(getVoucherHandler, { code: 'OTHER' })).status).toBe(200);
    // Its name and codes are free.
    const again = { name: 'Club', campaign_type: 'LOYALTY_PROGRAM', voucher: { loyalty_card: { points: 1 } } };
    expect((await world.ask(createHandler, {}, { body: again })).status).toBe(200);
    expect((await world.ask(addNamedHandler, { campaignId: 'Club', code: 'CARD' })).status).toBe(200);
  });

  test('deletes its publications, with the source ids that they claim', async () => {
    const world = await newWorld(club);
    const body = { campaign: { name: 'Other', count: 1 }, customer: { id: 'cust_1' }, source_id: 'first' };
    expect((await world.ask(publishHandler, {}, { body })).status).toBe(200);
    expect((await world.remove('camp_other')).status).toBe(202);
    await world.run();
    expect(await world.leftOf('camp_other')).toEqual([]);
    expect(await itemsOf(world.id, 'PUBLICATION', world.dependencies)).toEqual([]);
    expect(await itemsOf(world.id, 'HELD_VOUCHER', world.dependencies)).toEqual([]);
    expect((await world.ask(getVoucherHandler, { code: 'LOOSE' })).status).toBe(200);
  });

  test('deletes its tiers, which nobody finds from the start', async () => {
    const world = await newWorld(club);
    await world.ask(getTierHandler, { promotionTierId: 'promo_1' });
    expect((await world.remove('camp_tiers')).status).toBe(202);
    for (const [handler, body] of [[getTierHandler], [updateTierHandler, { name: 'New' }]] as [Handler, unknown][]) {
      const reply = await world.ask(handler, { promotionTierId: 'promo_1' }, body ? { body } : {});
      expect([reply.status, reply.body.resource_type]).toEqual([404, 'promotion_tier']);
    }
    expect((await world.ask(listTiersHandler, {})).body.tiers).toEqual([]);
    await world.run();
    expect(await world.leftOf('camp_tiers')).toEqual([]);
  });

  test('stays if it is protected, and is a 404 if it is missing', async () => {
    const world = await newWorld(club);
    const before = await world.items();
    const kept = await world.remove('Kept');
    expect([kept.status, kept.body.key, kept.body.resource_id]).toEqual([400, 'resource_protected', 'camp_kept']);
    const none = await world.remove('camp_none');
    expect([none.status, none.body.resource_type]).toEqual([404, 'campaign']);
    expect(await world.items()).toEqual(before);
  });

  test('by twenty callers at once is deleted once', async () => {
    const world = await newWorld(club);
    const replies = await Promise.all(Array.from({ length: 20 }, () => world.remove('camp_club')));
    expect(replies.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 19 }, () => 404)]);
  });
});

describe('a campaign in the bin', () => {
  const entries = async (world: World) => (await world.ask(binHandler, {})).body.data;

  test('keeps its name and codes until its entry is deleted, and is found by nobody', async () => {
    const world = await newWorld(club);
    const { body } = await world.remove('Club', '');
    await world.run();
    expect(await world.resultOf(body.async_action_id)).toEqual(['CAMPAIGN.VOUCHERS_DELETE', 'DONE', 1]);
    const [entry, ...rest] = await entries(world);
    expect(rest).toEqual([]);
    expect(entry).toMatchObject({
      resource_id: 'camp_club',
      resource_type: 'campaign',
      resource_name: 'Club',
      resource_parent_id: null,
      object: 'campaign',
    });
    expect((await world.ask(getHandler, { campaignId: 'Club' })).status).toBe(404);
    expect((await world.ask(getVoucherHandler, { code: 'CARD' })).status).toBe(404);
    const named = await world.ask(createHandler, {}, { body: { name: 'Club' } });
    expect([named.body.key, named.body.details]).toEqual([
      'duplicate_found',
      `a campaign in the bin has this name: send another name, or delete the entry ${entry.id} of the bin`,
    ]);
    const voucher = { type: 'DISCOUNT_VOUCHER', discount: percent };
    const coded = () => world.ask(createVoucherHandler, { code: 'CARD' }, { body: voucher });
    const { body: refused } = await coded();
    const where = expect.stringContaining('the entry of camp_club if it is in the bin');
    expect([refused.key, refused.details]).toEqual(['duplicate_found', where]);

    expect((await world.ask(purgeHandler, { binEntryId: entry.id })).status).toBe(204);
    expect(await entries(world)).toEqual([]);
    expect((await world.ask(createHandler, {}, { body: { name: 'Club' } })).status).toBe(200);
    await world.run();
    expect(await world.leftOf('camp_club')).toEqual([]);
    expect((await coded()).status).toBe(200);
  });

  test('leaves nothing either if its entry is deleted while its vouchers are still being deleted', async () => {
    const world = await newWorld(club);
    await world.remove('Club', '');
    const [entry] = await entries(world);
    expect((await world.ask(purgeHandler, { binEntryId: entry.id })).status).toBe(204);
    await world.run();
    expect(await world.leftOf('camp_club')).toEqual([]);
  });
});

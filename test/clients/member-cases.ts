import { expect } from 'vitest';
import { answeredBy, balanceOf, type Case, list } from './case.ts';

/** Rows for the client's methods about members: their cards, points and tiers. */
export const memberCases: Record<string, Case> = {
  'loyalties.transferPoints': answeredBy('transfer-points', async (client) => {
    const [from, to] = [await balanceOf(client, 'CREW-INGRID'), await balanceOf(client, 'CREW-OLUF')];
    const entry = { code: 'CREW-INGRID', points: 10, source_id: 'till-7-0001', reason: 'a present' };
    const destination = await client.loyalties.transferPoints('camp_crew', 'CREW-OLUF', [entry]);
    expect(destination).toMatchObject({
      code: 'CREW-OLUF',
      type: 'LOYALTY_CARD',
      campaign: 'Harbour Crew',
      loyalty_card: { balance: to + 10 },
    });
    expect(await balanceOf(client, 'CREW-INGRID')).toBe(from - 10);
  }),
  'loyalties.listMemberLoyaltyTiers': answeredBy('list-member-tiers', async (client) => {
    expect(await client.loyalties.listMemberLoyaltyTiers('CREW-INGRID')).toMatchObject({
      ...list,
      total: 1,
      data: [{ object: 'loyalty_tier', campaign_id: 'camp_crew', points: { from: expect.any(Number) } }],
    });
  }),
  'loyalties.listMembers': answeredBy('list-members', async (client) => {
    const { vouchers, total, data_ref } = await client.loyalties.listMembers('Harbour Crew', { limit: 100 });
    expect([data_ref, vouchers.length]).toEqual(['vouchers', total]);
    expect(vouchers.map(({ code }) => code)).toEqual(expect.arrayContaining(['CREW-INGRID', 'CREW-OLUF']));
  }),
  'loyalties.createMember': answeredBy('add-member', async (client) => {
    const member = await client.loyalties.createMember('Harbour Crew', {
      customer: { source_id: 'sdk-member', name: 'Mia' },
      channel: 'desk',
      metadata: { desk: 2 },
    });
    expect(member).toMatchObject({
      object: 'voucher',
      type: 'LOYALTY_CARD',
      campaign_id: 'camp_crew',
      loyalty_card: { points: 0, balance: 0 },
    });
    expect(await client.customers.get('sdk-member')).toMatchObject({ id: member.holder_id, name: 'Mia' });
  }),
  'loyalties.getMember': answeredBy('get-member', async (client) => {
    const member = await client.loyalties.getMember(null, 'CREW-INGRID');
    expect(member).toMatchObject({ code: 'CREW-INGRID', type: 'LOYALTY_CARD', holder_id: 'cust_ingrid' });
    expect(await client.loyalties.getMember('camp_crew', 'CREW-INGRID')).toEqual(member);
  }),
  'loyalties.listMemberActivity': answeredBy('list-member-activity', async (client) => {
    await client.loyalties.addOrRemoveCardBalance('CREW-INGRID', { points: 1 });
    const found = await client.loyalties.listMemberActivity(null, 'CREW-INGRID', { limit: 1 });
    expect(found).toMatchObject({ object: 'list', data_ref: 'data', data: [{ id: expect.stringMatching(/^act_/) }] });
    expect(await client.loyalties.listMemberActivity('camp_crew', 'CREW-INGRID', { limit: 1 })).toEqual(found);
  }),
  'loyalties.addOrRemoveCardBalance': answeredBy('adjust-member-balance', async (client) => {
    const before = await balanceOf(client, 'CREW-OLUF');
    const added = { points: 9, expiration_type: 'NON_EXPIRING' } as const;
    expect(await client.loyalties.addOrRemoveCardBalance('CREW-OLUF', added)).toMatchObject({
      points: 9,
      balance: before + 9,
      type: 'loyalty_card',
      object: 'balance',
    });
    const removed = await client.loyalties.addOrRemoveCardBalance('CREW-OLUF', { points: -9 }, 'camp_crew');
    expect(removed).toMatchObject({ points: -9, balance: before });
  }),
  'loyalties.addPoints': answeredBy('adjust-campaign-member-balance', async (client) => {
    const before = await balanceOf(client, 'CREW-OLUF');
    expect(await client.loyalties.addPoints('Harbour Crew', 'CREW-OLUF', { points: 4 })).toMatchObject({
      points: 4,
      balance: before + 4,
      type: 'loyalty_card',
    });
  }),
  'loyalties.getPointsExpiration': answeredBy('list-points-expiration', async (client) => {
    const found = await client.loyalties.getPointsExpiration('camp_crew', 'CREW-INGRID', { limit: 1 });
    expect(found).toMatchObject({ object: 'list', data: [{ status: 'ACTIVE', object: 'loyalty_points_bucket' }] });
  }),
  'loyalties.exportCardTransactions': answeredBy('export-member-transactions', async (client) => {
    for (const campaign of [null, 'camp_crew']) {
      const sent = { parameters: { order: '-created_at', fields: ['id', 'amount'] } } as const;
      const started = await client.loyalties.exportCardTransactions('CREW-OLUF', campaign, {
        parameters: { order: sent.parameters.order, fields: [...sent.parameters.fields] },
      });
      expect(started).toMatchObject({ status: 'SCHEDULED', exported_object: 'voucher_transactions', ...sent });
    }
  }),
  'loyalties.listCardTransactions': answeredBy('list-member-transactions', async (client) => {
    await client.loyalties.addOrRemoveCardBalance('CREW-OLUF', { points: 8 });
    const transactions = await client.loyalties.listCardTransactions('CREW-OLUF', null, { limit: 20 });
    expect(transactions).toMatchObject({ ...list, has_more: false });
    expect(transactions.data[0]).toMatchObject({
      type: 'POINTS_ADDITION',
      details: { balance: { balance: await balanceOf(client, 'CREW-OLUF') } },
    });
    for (const { voucher_id, campaign_id } of transactions.data) {
      expect([voucher_id, campaign_id]).toEqual([expect.stringMatching(/^v_/), 'camp_crew']);
    }
  }),
  'loyalties.redeemReward': answeredBy('redeem-campaign-member-reward', async (client) => {
    const asked = { reward: { id: 'rew_tin' }, metadata: { till: 3 } };
    const { loyalty_card: before } = await client.loyalties.getMember('camp_crew', 'CREW-INGRID');
    const redeemed = await client.loyalties.redeemReward('Harbour Crew', 'CREW-INGRID', asked);
    expect(redeemed).toMatchObject({
      id: expect.stringMatching(/^r_/),
      object: 'redemption',
      customer_id: 'cust_ingrid',
      amount: 400,
      result: 'SUCCESS',
      reward: {
        id: 'rew_tin',
        type: 'CAMPAIGN',
        assignment_id: 'rewa_tin',
        voucher: { campaign: 'Gift tins', code: expect.stringMatching(/^TIN-/) },
      },
      voucher: { code: 'CREW-INGRID', loyalty_card: { balance: before.balance - 400 } },
    });
    const { code = '' } = (redeemed.reward as { voucher?: { code?: string } }).voucher ?? {};
    expect(await client.vouchers.get(code)).toMatchObject({
      holder_id: 'cust_ingrid',
      gift: { balance: 10_000 },
    });
  }),
};

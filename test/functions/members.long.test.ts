import { beforeAll, describe, expect, test } from 'vitest';
import { handler as addHandler } from '../../functions/loyalties/add-member.ts';
import { handler as getOfHandler } from '../../functions/loyalties/get-campaign-member.ts';
import { handler as getHandler } from '../../functions/loyalties/get-member.ts';
import { handler as listHandler } from '../../functions/loyalties/list-members.ts';
import { handler as publicationsHandler } from '../../functions/publications/list-publications.ts';
import { caller, type Reply } from '../support/call.ts';
import { fair, openFair } from '../support/publishing.ts';

const card = (code: string, more: object = {}) => ({
  code,
  campaign_id: 'camp_club',
  type: 'LOYALTY_CARD',
  loyalty_card: { points: 15 },
  active: true,
  ...more,
});

async function openClub(lists: Record<string, unknown> = fair) {
  const shop = await openFair(lists);
  const headers = shop.project.credentials;
  const call = (handler: Parameters<typeof caller>[0]) => caller(handler, shop.dependencies);
  return {
    ...shop,
    add: (body: unknown, campaignId = 'camp_club') => call(addHandler)({ headers, params: { campaignId }, body }),
    members: (query = '', campaignId = 'camp_club') => call(listHandler)({ headers, params: { campaignId }, query }),
    member: (memberId: string) => call(getHandler)({ headers, params: { memberId } }),
    memberOf: (campaignId: string, memberId: string) =>
      call(getOfHandler)({ headers, params: { campaignId, memberId } }),
    published: async () => (await call(publicationsHandler)({ headers, query: 'limit=100' })).body.publications,
  };
}

type Club = Awaited<ReturnType<typeof openClub>>;

const done = ({ status, body }: Reply) => {
  expect([status, body.details]).toEqual([200, undefined]);
  return body;
};
const codesIn = ({ vouchers }: { vouchers: { code: string }[] }) => vouchers.map(({ code }) => code).sort();

describe('a member', () => {
  let club: Club;
  beforeAll(async () => {
    club = await openClub();
  });

  test('gets a free card, in the tier of its points, by a publication that is listed', async () => {
    const member = done(await club.add({ customer: 'ada', metadata: { desk: 1 }, channel: 'desk' }, 'Club'));
    expect(member).toMatchObject({
      code: 'CARD',
      type: 'LOYALTY_CARD',
      holder_id: 'cust_ada',
      loyalty_card: { points: 15, balance: 15 },
      publish: { count: 1 },
    });
    expect(await club.tier('CARD')).toBe('ltr_one');
    expect(await club.published()).toMatchObject([
      { customer_id: 'cust_ada', channel: 'desk', metadata: { desk: 1 }, vouchers_id: [member.id] },
    ]);
    const types = (await club.activities('cust_ada')).data.map(({ type }: { type: string }) => type);
    expect(types).toContain('customer.publication.succeeded');
    expect(types).toContain('customer.loyalty.tier.joined');
    expect(done(await club.member('CARD'))).toEqual(member);
    expect(done(await club.memberOf('Club', member.id))).toEqual(member);
  });

  test("gets a new card with the programme's first points if none is free", async () => {
    const member = done(await club.add({ customer: { source_id: 'new-1', name: 'Nina' } }));
    expect(member).toMatchObject({ loyalty_card: { points: 40, balance: 40 }, publish: { count: 1 } });
    expect((await club.customer('new-1')).name).toBe('Nina');
  });

  test('keeps the same card, and gets no other', async () => {
    const first = done(await club.add({ customer: { id: 'cust_bob' } }));
    expect(done(await club.add({ customer: 'cust_bob' }))).toEqual(first);
    const refused = await club.add({ customer: 'cust_bob', source_id: 'again' });
    expect([refused.status, refused.body.key]).toEqual([400, 'voucher_cannot_be_published']);
  });
});

describe('a text for the customer', () => {
  test('is an id, a source id, or the source id of a new customer', async () => {
    const club = await openClub();
    expect(done(await club.add({ customer: 'cust_ada' })).holder_id).toBe('cust_ada');
    expect(done(await club.add({ customer: 'ada' })).holder_id).toBe('cust_ada');
    const { holder_id } = done(await club.add({ customer: 'newcomer' }));
    expect((await club.customer('newcomer')).id).toBe(holder_id);
    const unknown = await club.add({ customer: 'cust_nobody' });
    expect([unknown.status, unknown.body.resource_type]).toEqual([404, 'customer']);
  });
});

describe('a source_id', () => {
  test('twenty times at once is one publication, with one card in every reply', async () => {
    const club = await openClub();
    const body = { customer: { source_id: 'new-2' }, source_id: 'desk-1' };
    const replies = await Promise.all(Array.from({ length: 20 }, () => club.add(body)));
    expect(new Set(replies.map((reply) => done(reply).code))).toHaveLength(1);
    expect(await club.published()).toHaveLength(1);
  });

  test('is answered by a request that commits after the source id was looked up', async () => {
    const club = await openClub();
    const body = { customer: { source_id: 'new-3' }, source_id: 'desk-3' };
    const { dynamodb } = club.dependencies;
    let other: Promise<Reply> | undefined;
    const send = async (command: Parameters<typeof dynamodb.send>[0]) => {
      const reply = await dynamodb.send(command);
      if (!JSON.stringify(command.input).includes('desk-3')) return reply;
      other ??= club.add(body);
      await other;
      return reply;
    };
    const slow = { ...club.dependencies, dynamodb: Object.assign(Object.create(dynamodb), { send }) };
    const headers = club.project.credentials;
    const second = await caller(addHandler, slow)({ headers, params: { campaignId: 'camp_club' }, body });
    expect(done(second).code).toBe(done(await (other ?? second)).code);
    expect(await club.published()).toHaveLength(1);
  });

  test('of another customer is refused', async () => {
    const club = await openClub();
    done(await club.add({ customer: 'ada', source_id: 'desk-1' }));
    const other = await club.add({ customer: 'cust_bob', source_id: 'desk-1' });
    expect([other.status, other.body.key]).toEqual([400, 'duplicate_source_id']);
  });
});

test('twenty customers at once get twenty cards, each a different one', async () => {
  const club = await openClub();
  const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => club.add({ customer: `new-${index}` })));
  expect(new Set(replies.map((reply) => done(reply).code))).toHaveLength(20);
  expect(done(await club.members('limit=100')).total).toBe(20);
});

describe('a named card', () => {
  let club: Club;
  beforeAll(async () => {
    club = await openClub({
      ...fair,
      campaigns: [
        ...fair.campaigns,
        { id: 'camp_still', name: 'Still', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' },
      ],
      vouchers: [
        ...fair.vouchers,
        card('MINE'),
        card('HELD', { holder_id: 'cust_bob' }),
        card('STILL', { campaign_id: 'camp_still' }),
        card('OFF', { campaign_id: 'camp_still', active: false }),
      ],
    });
  });

  test('is given', async () => {
    expect(done(await club.add({ customer: 'ada', voucher: 'MINE' }))).toMatchObject({ holder_id: 'cust_ada' });
  });

  test.each([
    ['that somebody holds', { voucher: 'HELD' }, 'camp_club', 400, 'voucher_already_published'],
    ['of another programme', { voucher: 'STILL' }, 'camp_club', 404, 'not_found'],
    ['that does not exist', { voucher: 'NOPE' }, 'camp_club', 404, 'not_found'],
    ['of no programme', { voucher: 'FEW-1' }, 'Few', 404, 'not_found'],
  ])('is refused if it is one %s', async (_, more, campaignId, status, key) => {
    const reply = await club.add({ customer: 'new-9', ...more }, campaignId);
    expect([reply.status, reply.body.key]).toEqual([status, key]);
  });

  test('is given though it is disabled, and if a STATIC programme has no other, none is given', async () => {
    expect(done(await club.add({ customer: 'new-7', voucher: 'OFF' }, 'Still')).code).toBe('OFF');
    expect(done(await club.add({ customer: 'new-8' }, 'Still')).code).toBe('STILL');
    const none = await club.add({ customer: 'new-9' }, 'Still');
    expect([none.status, none.body.key]).toEqual([400, 'no_voucher_suitable_for_publication']);
  });

  test('is in the list, which is searched and filtered like vouchers', async () => {
    const all = done(await club.members('limit=100', 'Still'));
    expect([codesIn(all), all.total]).toEqual([['OFF', 'STILL'], 2]);
    expect(codesIn(done(await club.members('customer=cust_bob')))).toEqual(['HELD']);
    expect(codesIn(done(await club.members('code=MINE')))).toEqual(['MINE']);
    expect(codesIn(done(await club.members('code=STILL')))).toEqual([]);
    expect(codesIn(done(await club.members('filters[active][conditions][$disabled]=true', 'Still')))).toEqual(['OFF']);
    expect(codesIn(done(await club.members('campaign=Still&code=STILL')))).toEqual([]);
  });
});

test.each(['camp_nope', 'Pool'])('%s has no members, because it is not a programme', async (campaignId) => {
  const club = await openClub();
  for (const reply of [await club.members('', campaignId), await club.add({ customer: 'ada' }, campaignId)])
    expect([reply.status, reply.body.resource_type, reply.body.resource_id]).toEqual([404, 'campaign', campaignId]);
});

test('a customer whose source id is the id of another is refused', async () => {
  const club = await openClub();
  const reply = await club.add({ customer: { source_id: 'cust_bob' } });
  expect([reply.status, reply.body.key]).toEqual([409, 'duplicate_found']);
});

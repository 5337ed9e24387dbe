import { beforeAll, describe, expect, test } from 'vitest';
import { type Fair, openFair } from '../support/publishing.ts';

interface Listed {
  id: string;
  channel: string;
}

describe('publications', () => {
  let shop: Fair;
  /** Returns their ids by channel. */
  const ids = new Map<string, string>();
  beforeAll(async () => {
    shop = await openFair();
    const made: readonly (readonly [channel: string, body: object])[] = [
      ['till', { voucher: 'POOL-7', customer: { source_id: 'ada' }, source_id: 'first' }],
      ['app', { voucher: 'FEW-1', customer: 'zoe' }],
      ['web', { voucher: 'CARD', customer: 'ada' }],
      ['mail', { campaign: { name: 'Mate', count: 2 }, customer: 'bea' }],
    ];
    for (const [channel, body] of made) {
      shop.clock.advance(1);
      const { body: publication } = await shop.publish({ ...body, channel });
      ids.set(channel, publication.id);
    }
    shop.clock.advance(1);
    expect((await shop.publish({ campaign: 'Few', customer: 'ada', channel: 'late' })).status).toBe(400);
    const { publications } = await shop.list('result=FAILURE');
    ids.set('late', publications[0].id);
  });
  const channels = ({ publications }: { publications: Listed[] }) => publications.map(({ channel }) => channel);

  test('are listed newest first, each with its customer and vouchers', async () => {
    const body = await shop.list();
    expect(body).toMatchObject({ object: 'list', data_ref: 'publications', total: 5, has_more: false });
    expect(channels(body)).toEqual(['late', 'mail', 'web', 'app', 'till']);
    const [late, mail, web, app] = body.publications;
    expect(late).toMatchObject({
      result: 'FAILURE',
      failure_code: 'no_voucher_suitable_for_publication',
      failure_message: expect.any(String),
      customer: { id: 'cust_ada' },
      vouchers_id: [],
    });
    expect(late).not.toHaveProperty('voucher');
    expect(mail).toMatchObject({ vouchers: [expect.any(String), expect.any(String)], tracking_id: 'bea' });
    expect(web.voucher).toEqual({
      code: 'CARD',
      object: 'voucher',
      campaign: 'Club',
      loyalty_card: expect.objectContaining({ balance: 15 }),
      is_referral_code: null,
    });
    expect(app.voucher).toMatchObject({ discount: { percent_off: 10 }, is_referral_code: null });
    expect((await shop.activities('ada')).data[0]).toMatchObject({
      type: 'customer.publication.failed',
      data: { data: { publication: { id: ids.get('late'), result: 'FAILURE' } } },
    });
  });

  test.each([
    ['id', ['till', 'app', 'web', 'mail', 'late']],
    ['-id', ['late', 'mail', 'web', 'app', 'till']],
    ['created_at', ['till', 'app', 'web', 'mail', 'late']],
    ['channel', ['app', 'late', 'mail', 'till', 'web']],
    ['-channel', ['web', 'till', 'mail', 'late', 'app']],
    ['tracking_id', ['till', 'web', 'late', 'mail', 'app']],
    ['-tracking_id', ['app', 'mail', 'late', 'web', 'till']],
  ])('are ordered by %s', async (order, expected) => {
    expect(channels(await shop.list(`order=${order}`))).toEqual(expected);
  });

  test.each(['voucher_code', 'customer_id'] as const)('are ordered by %s', async (order) => {
    const body = await shop.list(`order=${order}`);
    const values = body.publications.map((one: Record<string, string>) =>
      order === 'customer_id' ? one[order] : Object(one.voucher ?? {}).code,
    );
    const known = values.filter(Boolean);
    expect(known).toEqual(known.toSorted());
    expect((await shop.list(`order=-${order}`)).publications.map(({ id }: Listed) => id)).toEqual(
      body.publications.map(({ id }: Listed) => id).reverse(),
    );
  });

  test.each([
    ['customer=ada', ['late', 'web', 'till']],
    ['customer=cust_ada&order=channel', ['late', 'till', 'web']],
    ['customer=nobody', []],
    ['campaign=Few', ['late', 'app']],
    ['campaign=camp_few&customer=zoe', ['app']],
    ['campaign=Nothing', []],
    ['voucher=POOL-7', ['till']],
    ['voucher=POOL-7&customer=zoe', []],
    ['voucher=Nothing', []],
    ['source_id=first', ['till']],
    ['source_id=first&voucher=CARD', []],
    ['result=SUCCESS', ['mail', 'web', 'app', 'till']],
    ['voucher_type=loyalty', ['web']],
    ['voucher_type=discount&order=created_at', ['till', 'app', 'mail']],
    ['is_referral_code=true', ['mail']],
    ['filters[failure_code][conditions][$is]=no_voucher_suitable_for_publication', ['late']],
    [
      'filters[campaign_name][conditions][$in][0]=Pool&filters[campaign_name][conditions][$in][1]=Club',
      ['web', 'till'],
    ],
    [
      'filters[junction]=or&filters[source_id][conditions][$has_value]=1&filters[result][conditions][$is]=FAILURE',
      ['late', 'till'],
    ],
    ['filters[parent_object_id][conditions][$is]=camp_mate', ['mail']],
  ])('are filtered by %s', async (query, expected) => {
    const body = await shop.list(query);
    expect(channels(body)).toEqual(expected);
    expect(body.total).toBe(expected.length);
  });

  test('are filtered by the `publish.url` of one voucher, and of several vouchers', async () => {
    const { publications } = await shop.list('voucher_type=discount&is_referral_code=true');
    for (const code of publications[0].vouchers) {
      expect((await shop.voucher(code)).publish.url).toContain(`/v1/vouchers/${code}/publications`);
      expect(channels((await shop.ofVoucher(code)).body)).toEqual(['mail']);
    }
    expect((await shop.ofVoucher('NOPE')).status).toBe(404);
  });

  test('can be filtered only by known fields', async () => {
    for (const query of ['filters[colour][conditions][$is]=red', 'result=OPEN']) {
      expect((await shop.refusedList(query)).body).toMatchObject({ code: 400, key: 'invalid_query_params' });
    }
  });
});

describe('an address that publishes', () => {
  let shop: Fair;
  beforeAll(async () => {
    shop = await openFair();
  });

  test('accepts names with brackets', async () => {
    const query =
      'campaign[name]=Pool&campaign[count]=1&customer[source_id]=q&customer[name]=Q&metadata[till]=3&source_id=mail-1';
    const { status, body } = await shop.byQuery(query);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ tracking_id: 'q', metadata: { till: '3' }, source_id: 'mail-1' }),
    ]);
    expect(body.customer.name).toBe('Q');
    expect((await shop.byQuery(query)).body).toEqual(body);
  });

  test('gives the same voucher to a customer who already has one of the campaign', async () => {
    const first = await shop.byQuery('campaign=Pool&customer=r&join_once=true');
    expect((await shop.byQuery('campaign=Pool&customer=r&join_once=true')).body.id).toBe(first.body.id);
  });

  test.each([
    ['several vouchers', 'campaign[name]=Pool&campaign[count]=2&customer=q', 'too_many_vouchers_requested'],
    ['nothing', 'customer=q', 'missing_vouchers'],
    ['for nobody', 'campaign=Pool', 'invalid_query_params'],
    ['with a word for a number', 'campaign[name]=Pool&campaign[count]=x&customer=q', 'invalid_query_params'],
    ['what another holds', 'voucher=FEW-HELD&customer=q', 'voucher_already_published'],
    ['another of a campaign that gives one', 'voucher=ONCE-2&customer=s', 'voucher_cannot_be_published'],
    ['from an empty pool', 'campaign=Tiers&customer=q', 'no_voucher_suitable_for_publication'],
    ["by another customer's source id", 'campaign=Pool&customer=q&source_id=used', 'duplicate_source_id'],
  ])('is refused %s', async (_, query, key) => {
    await shop.byQuery('voucher=ONCE-1&customer=s');
    await shop.byQuery('voucher=ALONE&customer=s&source_id=used');
    expect((await shop.byQuery(query)).body).toMatchObject({ code: 400, key });
  });

  test('names the existing parameters', async () => {
    expect((await shop.byQuery('voucher=NOPE&customer=q')).body).toMatchObject({ code: 404, resource_type: 'voucher' });
    expect((await shop.byQuery('campaign=Pool&customer=cust_bob')).body).toMatchObject({ code: 409 });
  });
});

test("a campaign's publications are all counted, in any number", async () => {
  const campaign = { id: 'camp_many', name: 'Many', type: 'STATIC', campaign_type: 'GIFT_VOUCHERS' };
  const publications = Array.from({ length: 120 }, (_, index) => ({
    id: `pub_${index}`,
    campaign_id: campaign.id,
    result: 'FAILURE',
  }));
  const shop = await openFair({
    campaigns: [{ ...campaign, voucher: { type: 'GIFT_VOUCHER', gift: { amount: 5 } } }],
    publications,
  });
  expect(await shop.list('campaign=Many')).toMatchObject({ total: 120, has_more: true });
});

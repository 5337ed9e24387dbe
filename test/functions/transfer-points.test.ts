import { beforeAll, describe, expect, test } from 'vitest';
import { handler as transferHandler } from '../../functions/loyalties/transfer-points.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { type Club, card, entry, ledgerOf, newClub, programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';
import { bearer, issueToken } from '../support/tokens.ts';
import { unusable, unusableNames } from '../support/unusable.ts';

const customers = [
  { id: 'cust_ada', source_id: 'ada', name: 'Ada' },
  { id: 'cust_bob', source_id: 'bob', name: 'Bob' },
];

/** Cards of their own for a test, so that all run on one project. */
let club: Club;
beforeAll(async () => {
  const numbered = Array.from({ length: 34 }, (_, index) => card(`MANY-${index}`, 10));
  club = await newClub({
    customers,
    campaigns: [
      programme('camp_club', {
        voucher: {
          type: 'LOYALTY_CARD',
          loyalty_card: {
            points: 0,
            expiration_rules: { period_type: 'MONTH', period_value: 12, rounding_type: 'END_OF_YEAR' },
          },
        },
      }),
      programme('camp_partner'),
      ...unusableNames.map((state) => programme(`camp_${state}`, unusable[state].fields)),
      programme('camp_over', { expiration_date: '2026-06-01T00:00:00Z' }),
      { id: 'camp_coupons', name: 'Coupons', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
    ],
    vouchers: [
      ...numbered,
      card('A', [
        { points: 30, expires: null },
        { points: 40, expires: '2026-12-31' },
        { points: 30, expires: '2026-08-31' },
      ]),
      card('A-TO', 5),
      ...['B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'].flatMap((code) => [card(code, 100), card(`${code}-TO`, 0)]),
      card('K', [
        { points: 60, expires: '2026-06-14' },
        { points: 40, expires: '2026-06-15' },
      ]),
      card('K-TO', [{ points: 8, expires: '2026-05-31' }]),
      card('OFF', 100, { active: false }),
      card('OVER', 100, { expiration_date: '2026-06-15T11:59:59Z' }),
      card('JUST', 100, { expiration_date: '2026-06-15T12:00:00Z' }),
      card('OF-OVER', 100, { campaign_id: 'camp_over' }),
      card('OWN-DATE', 100, { campaign_id: 'camp_over', expiration_date: '2027-01-01T00:00:00Z' }),
      ...unusableNames.flatMap((state) => [
        card(`IN-${state}`, 100, { campaign_id: `camp_${state}` }),
        card(`SELF-${state}`, 100, unusable[state].fields),
        card(`FROM-${state}`, 100),
      ]),
      card('PARTNER', 100, { campaign_id: 'camp_partner' }),
      card('LOOSE', 100, { campaign_id: undefined }),
      card('RICH', Number.MAX_SAFE_INTEGER),
      card('RICHER', Number.MAX_SAFE_INTEGER),
      {
        code: 'COUPON',
        type: 'DISCOUNT_VOUCHER',
        campaign_id: 'camp_club',
        discount: { type: 'AMOUNT', amount_off: 1 },
      },
      card('caf\u00e9/1 #2?', 50),
    ],
  });
});

describe('a transfer', () => {
  test('takes the points that expire soonest, and gives new ones under the rules of the destination', async () => {
    const { status, body } = await club.transfer('A-TO', [{ ...entry('A', 50, 'first'), reason: 'a gift' }]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      code: 'A-TO',
      type: 'LOYALTY_CARD',
      updated_at: '2026-06-15T12:00:00.000Z',
      loyalty_card: { points: 55, balance: 55, next_expiration_date: '2027-12-31', next_expiration_points: 50 },
    });
    expect(await club.voucher('A-TO')).toEqual(body);
    expect((await club.voucher('A')).loyalty_card).toEqual({
      points: 100,
      balance: 50,
      next_expiration_date: '2026-12-31',
      next_expiration_points: 20,
      pending_points: 0,
      expired_points: 0,
      subtracted_points: 50,
    });
    expect(await ledgerOf(club, 'A')).toMatchObject([
      {
        type: 'POINTS_TRANSFER_OUT',
        points: -50,
        balance: 50,
        source_id: 'first',
        reason: 'a gift',
        source: 'API',
        created_at: '2026-06-15T12:00:00.000Z',
        details: { destination_voucher: { code: 'A-TO', type: 'LOYALTY_CARD', object: 'voucher' } },
      },
    ]);
    expect(await ledgerOf(club, 'A-TO')).toMatchObject([
      {
        type: 'POINTS_TRANSFER_IN',
        points: 50,
        balance: 55,
        source_id: 'first',
        reason: 'a gift',
        details: {
          from: [{ code: 'A', points: 50, source_id: 'first', reason: 'a gift' }],
          source_voucher: { code: 'A', type: 'LOYALTY_CARD', object: 'voucher' },
        },
      },
    ]);
  });

  test('sums up several entries of one card, and writes each into the ledger', async () => {
    const body = [entry('B', 60, 'b1'), entry('B', 30, 'b2')];
    expect((await club.transfer('B-TO', body)).body.loyalty_card.balance).toBe(90);
    expect(await ledgerOf(club, 'B')).toMatchObject([
      { points: -60, balance: 40, source_id: 'b1' },
      { points: -30, balance: 10, source_id: 'b2' },
    ]);
    expect(await ledgerOf(club, 'B-TO')).toMatchObject([{ points: 90, source_id: null }]);
    const more = [entry('B', 6), entry('B', 5)];
    const { body: refusal } = await club.transfer('B-TO', more);
    expect(refusal).toMatchObject({ key: 'loyalty_card_points_exceeded', resource_id: 'B', resource_type: 'voucher' });
    expect(refusal.details).toContain('11 points of the card B, which has 10');
    expect(await club.balance('B')).toBe(10);
  });

  test('empties a card to its last point, and finds cards by id, whatever is in the code', async () => {
    const { id } = await club.voucher('caf\u00e9/1 #2?');
    const { id: destination } = await club.voucher('C-TO');
    const { status } = await club.transfer(destination, [entry(id, 50)]);
    expect(status).toBe(200);
    expect(await club.balance('caf\u00e9/1 #2?')).toBe(0);
    expect(await club.balance('C-TO')).toBe(50);
  });

  test('takes points of any programme and of none, into a card of the one in the path, by its name too', async () => {
    const { status, body } = await club.transfer('D-TO', [entry('PARTNER', 1), entry('LOOSE', 2)], 'Name of camp_club');
    expect([status, body.loyalty_card.balance]).toEqual([200, 3]);
  });

  test('takes up to 32 cards at once, and names the limit beyond', async () => {
    const all = Array.from({ length: 33 }, (_, index) => entry(`MANY-${index}`, 10));
    const { status, body } = await club.transfer('E-TO', all);
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain('at most 32 entries');
    expect((await club.transfer('E-TO', all.slice(0, 32))).body.loyalty_card.balance).toBe(320);
  });

  test('takes no points whose day has passed, and writes them off on both cards', async () => {
    expect(await club.balance('K')).toBe(40);
    expect((await club.transfer('K-TO', [entry('K', 41)])).body.key).toBe('loyalty_card_points_exceeded');
    expect((await club.transfer('K-TO', [entry('K', 40)])).body.loyalty_card).toMatchObject({
      points: 48,
      balance: 40,
    });
    expect(await ledgerOf(club, 'K')).toMatchObject([
      { type: 'POINTS_EXPIRATION', points: -60, balance: 40, source: 'Automation' },
      { type: 'POINTS_TRANSFER_OUT', points: -40, balance: 0 },
    ]);
    expect(await ledgerOf(club, 'K-TO')).toMatchObject([
      { type: 'POINTS_EXPIRATION', points: -8, balance: 0 },
      { type: 'POINTS_TRANSFER_IN', points: 40, balance: 40 },
    ]);
  });

  test('is allowed at the very time that a card expires, and not with an own date past its campaign', async () => {
    expect((await club.transfer('F-TO', [entry('JUST', 1)])).status).toBe(200);
    expect((await club.transfer('F-TO', [entry('OWN-DATE', 1)])).body.key).toBe('voucher_expired');
  });
});

describe.each(unusableNames)('a transfer moves nothing while %s', (state) => {
  const { key } = unusable[state];
  const own = key === 'campaign_not_active' ? 'voucher_disabled' : key;
  const from = `FROM-${state}`;

  test.each([
    ['the campaign of the destination is', `IN-${state}`, [entry(from, 10)], `camp_${state}`, key, 'the destination'],
    ['the campaign of a source is', 'F-TO', [entry(from, 10), entry(`IN-${state}`, 1)], 'camp_club', key, '[1]'],
    ['the destination itself is', `SELF-${state}`, [entry(from, 10)], 'camp_club', own, 'the destination'],
    ['a source itself is', 'F-TO', [entry(from, 10), entry(`SELF-${state}`, 1)], 'camp_club', own, '[1]'],
  ])('%s', async (_, destination, body, campaignId, expected, place) => {
    const before = await club.balance(destination);
    const reply = await club.transfer(destination, body, campaignId);
    expect([reply.status, reply.body.key]).toEqual([400, expected]);
    expect(reply.body.details).toContain(place);
    expect(await club.balance(from)).toBe(100);
    expect(await club.balance(destination)).toBe(before);
  });
});

describe('a transfer is refused, and moves nothing,', () => {
  const notInteger = (place: string) => `${place}.points`;
  test.each<[string, unknown, string]>([
    ['of 0 points', [entry('G', 0)], notInteger('[0]')],
    ['of less', [entry('G', -5)], notInteger('[0]')],
    ['of a part of a point', [entry('G', 1.5)], notInteger('[0]')],
    ['of a text', [{ ...entry('G', 1), points: '1' }], notInteger('[0]')],
    ['of more than numbers are exact', [entry('G', 2 ** 53)], notInteger('[0]')],
    ['without points', [{ code: 'G', source_id: 's' }], '[0].points is required'],
    ['without a code', [{ points: 1, source_id: 's' }], '[0].code is required'],
    ['without a source_id', [{ code: 'G', points: 1 }], '[0].source_id is required'],
    ['with an empty source_id', [entry('G', 1, '')], '[0].source_id'],
    ['with a reason that is no text', [{ ...entry('G', 1), reason: 5 }], '[0].reason'],
    ['with an entry that is no object', [['G', 1, 's']], '[0]'],
    ['with every fault told', [entry('G', 0), { code: 7 }], '[1].source_id is required'],
    ['without entries', [], 'at least 1 entry'],
    ['with an object for the array', entry('G', 1), 'array'],
    ['with null', null, 'array'],
    ['with a text that is no JSON', '[', ''],
    ['with the same code and source_id twice', [entry('G', 1, 'twice'), entry('G', 2, 'twice')], '[1] repeats'],
    ['to itself', [entry('G', 1), entry('G-TO', 1)], '[1] must not be the destination'],
    ['from a coupon', [entry('G', 1), entry('COUPON', 1)], '[1] must name a loyalty card'],
  ])('%s', async (_, body, named) => {
    const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const params = { campaignId: 'camp_club', memberId: 'G-TO' };
    const call = caller(transferHandler);
    const reply = await call({ params, headers: { ...club.project.credentials, ...headers }, body });
    expect([reply.status, reply.body.key]).toEqual([400, 'invalid_payload']);
    expect(reply.body.details).toContain(named);
    expect(await club.balance('G')).toBe(100);
  });

  test('when two entries repeat each other, one by code and one by id, or the destination is a source by its id', async () => {
    const [source, destination] = [await club.voucher('G'), await club.voucher('G-TO')];
    const twice = await club.transfer('G-TO', [entry('G', 1, 'same'), entry(source.id, 1, 'same')]);
    expect(twice.body).toMatchObject({ key: 'invalid_payload', details: expect.stringContaining('[1] repeats') });
    const itself = await club.transfer('G-TO', [entry(destination.id, 1)]);
    expect(itself.body).toMatchObject({ key: 'invalid_payload', details: expect.stringContaining('destination') });
  });

  test.each<[string, string, string, string, string, number, string, string | undefined]>([
    ['from an inactive card', 'camp_club', 'G-TO', 'OFF', 'voucher_disabled', 400, '[1]', 'OFF'],
    ['into an inactive card', 'camp_club', 'OFF', 'G', 'voucher_disabled', 400, 'destination', 'OFF'],
    ['from an expired card', 'camp_club', 'G-TO', 'OVER', 'voucher_expired', 400, '2026-06-15T11:59:59.000Z', 'OVER'],
    ['into an expired card', 'camp_club', 'OVER', 'G', 'voucher_expired', 400, 'destination', 'OVER'],
    [
      'from a card of an expired campaign',
      'camp_club',
      'G-TO',
      'OF-OVER',
      'voucher_expired',
      400,
      '2026-06-01',
      'OF-OVER',
    ],
    [
      'into a card of an expired campaign',
      'camp_over',
      'OF-OVER',
      'G',
      'voucher_expired',
      400,
      'destination',
      'OF-OVER',
    ],
    ['of more than a card has', 'camp_club', 'G-TO', 'A-TO', 'loyalty_card_points_exceeded', 400, 'A-TO', 'A-TO'],
    ['from an unknown card', 'camp_club', 'G-TO', 'NOPE', 'not_found', 404, 'voucher', 'NOPE'],
    ['into an unknown card', 'camp_club', 'NOPE', 'G', 'not_found', 404, 'voucher', 'NOPE'],
    ['into a card of another campaign', 'camp_partner', 'G-TO', 'G', 'not_found', 404, 'voucher', 'G-TO'],
    ['into a card of no campaign', 'camp_club', 'LOOSE', 'G', 'not_found', 404, 'voucher', 'LOOSE'],
    ['in an unknown campaign', 'camp_nope', 'G-TO', 'G', 'not_found', 404, 'campaign', 'camp_nope'],
    ['in a campaign that is no programme', 'camp_coupons', 'G-TO', 'G', 'not_found', 404, 'campaign', 'camp_coupons'],
    ['into a coupon', 'camp_club', 'COUPON', 'G', 'invalid_payload', 400, 'memberId', undefined],
    ['into a card that cannot hold it', 'camp_club', 'RICHER', 'RICH', 'invalid_payload', 400, "can't hold", undefined],
  ])('%s', async (_, campaignId, memberId, other, key, status, named, resource) => {
    const body = [...(other === 'G' ? [] : [entry('H', 1)]), entry(other, 60)];
    const reply = await club.transfer(memberId, body, campaignId);
    expect([reply.status, reply.body.key, reply.body.resource_id]).toEqual([status, key, resource]);
    expect(`${reply.body.details} ${reply.body.resource_type}`).toContain(named);
    expect(await Promise.all([club.balance('G'), club.balance('H')])).toEqual([100, 100]);
  });

  test('without credentials, with a token of another scope, or with another content type', async () => {
    const call = caller(transferHandler);
    const params = { campaignId: 'camp_club', memberId: 'G-TO' };
    const body = [entry('G', 1)];
    expect((await call({ params, body })).body.key).toBe('unauthorized');
    const token = await issueToken(club.project.credentials, 'vouchers');
    expect((await call({ params, body, headers: bearer(token) })).body.key).toBe('insufficient_scope');
    const form = { ...club.project.credentials, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await call({ params, body: 'a=b', headers: form })).body.key).toBe('unsupported_media_type');
  });

  test('for cards of another project, in the words for those that are not there', async () => {
    const other = await loadProject({ campaigns: [programme('camp_club')], vouchers: [card('X', 0), card('MINE', 9)] });
    const call = caller(transferHandler);
    const params = { campaignId: 'camp_club', memberId: 'X' };
    const own = await club.voucher('G');
    for (const code of ['G', own.id]) {
      const { body } = await call({ params, headers: other.credentials, body: [entry(code, 1)] });
      expect(body).toMatchObject({ key: 'not_found', resource_id: code });
    }
  });
});

describe('a repeat', () => {
  test('answers 200 with the destination as it is, and moves nothing, whatever became of the cards since', async () => {
    const first = [entry('I', 70, 'i1')];
    await club.transfer('I-TO', first);
    const { id } = await club.voucher('I');
    await club.transfer('I-TO', [entry('MANY-33', 5)]);
    for (const body of [first, [{ ...first[0], reason: 'again' }], [entry(id, 70, 'i1')]]) {
      const reply = await club.transfer('I-TO', body);
      expect([reply.status, reply.body]).toEqual([200, await club.voucher('I-TO')]);
      expect(reply.body.loyalty_card.balance).toBe(75);
    }
    expect(await club.balance('I')).toBe(30);
    expect(await ledgerOf(club, 'I')).toHaveLength(1);
  });

  test('with other points or into another card is refused, for ever', async () => {
    await club.transfer('J-TO', [entry('J', 10, 'j1')]);
    const later = standingClock(new Date('2031-01-01T00:00:00Z'));
    const call = caller(transferHandler, testDependencies({ clock: later }));
    const headers = club.project.credentials;
    for (const [memberId, points] of [
      ['J-TO', 11],
      ['C-TO', 10],
    ] as const) {
      const params = { campaignId: 'camp_club', memberId };
      const { status, body } = await call({ params, headers, body: [entry('J', points, 'j1')] });
      expect([status, body.key]).toEqual([400, 'duplicate_source_id']);
      expect(body.details).toContain('[0].source_id');
    }
    expect(await club.balance('J')).toBe(90);
  });

  test('of some entries beside new ones is refused whole', async () => {
    await club.transfer('J-TO', [entry('J', 1, 'j2'), entry('J', 2, 'j3')]);
    const before = await club.balance('J');
    const body = [entry('J', 1, 'j2'), entry('J', 2, 'j3'), entry('H', 1, 'j2')];
    const reply = await club.transfer('J-TO', body);
    expect([reply.status, reply.body.key]).toEqual([400, 'duplicate_source_id']);
    expect(reply.body.details).toMatch(/\[0\].*\[1\]/);
    expect(await club.balance('J')).toBe(before);
    expect((await club.transfer('J-TO', body.slice(0, 2))).status).toBe(200);
    expect(await club.balance('J')).toBe(before);
  });

  test('of a source_id by another card is another transfer', async () => {
    await club.transfer('C-TO', [entry('D', 1, 'shared')]);
    expect((await club.transfer('C-TO', [entry('F', 1, 'shared')])).status).toBe(200);
    expect(await Promise.all([club.balance('D'), club.balance('F')])).toEqual([99, 99]);
  });
});

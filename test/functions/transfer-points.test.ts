import { describe, expect, test } from 'vitest';
import { handler as transferHandler } from '../../functions/loyalties/transfer-points.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies } from '../support/dependencies.ts';
import { card, entry, ledgerOf, newClub, programme } from '../support/loyalty.ts';

/** Makes cards for one test, so that all tests run on one project. */
const numbered = Array.from({ length: 34 }, (_, index) => card(`MANY-${index}`, 10));
const club = await newClub({
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
    programme('camp_over', { expiration_date: '2026-06-01T00:00:00Z' }),
  ],
  vouchers: [
    ...numbered,
    card('A', [
      { points: 30, expires: null },
      { points: 40, expires: '2026-12-31' },
      { points: 30, expires: '2026-08-31' },
    ]),
    card('A-TO', 5),
    ...['B', 'C', 'D', 'E', 'F', 'I', 'J'].flatMap((code) => [card(code, 100), card(`${code}-TO`, 0)]),
    card('H', 100),
    card('K', [
      { points: 60, expires: '2026-06-14' },
      { points: 40, expires: '2026-06-15' },
    ]),
    card('K-TO', [{ points: 8, expires: '2026-05-31' }]),
    card('JUST', 100, { expiration_date: '2026-06-15T12:00:00Z' }),
    card('OWN-DATE', 100, { campaign_id: 'camp_over', expiration_date: '2027-01-01T00:00:00Z' }),
    card('PARTNER', 100, { campaign_id: 'camp_partner' }),
    card('LOOSE', 100, { campaign_id: undefined }),
    card('caf\u00e9/1 #2?', 50),
  ],
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

  test('adds up several entries of one card, and writes each into the ledger', async () => {
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

  test('empties a card to its last point, and finds cards by id, for any code', async () => {
    const { id } = await club.voucher('caf\u00e9/1 #2?');
    const { id: destination } = await club.voucher('C-TO');
    const { status } = await club.transfer(destination, [entry(id, 50)]);
    expect(status).toBe(200);
    expect(await club.balance('caf\u00e9/1 #2?')).toBe(0);
    expect(await club.balance('C-TO')).toBe(50);
  });

  test('takes points of any programme or none, into a card of the programme in the path, also by its name', async () => {
    const { status, body } = await club.transfer('D-TO', [entry('PARTNER', 1), entry('LOOSE', 2)], 'Name of camp_club');
    expect([status, body.loyalty_card.balance]).toEqual([200, 3]);
  });

  test('takes up to 32 cards at once, and a refusal names this limit', async () => {
    const all = Array.from({ length: 33 }, (_, index) => entry(`MANY-${index}`, 10));
    const { status, body } = await club.transfer('E-TO', all);
    expect([status, body.key]).toEqual([400, 'invalid_payload']);
    expect(body.details).toContain('at most 32 entries');
    expect((await club.transfer('E-TO', all.slice(0, 32))).body.loyalty_card.balance).toBe(320);
  });

  test('takes no lapsed points, and writes them off on both cards', async () => {
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

  test("is allowed at the very time of a card's expiry, and not with an own date past its campaign", async () => {
    expect((await club.transfer('F-TO', [entry('JUST', 1)])).status).toBe(200);
    expect((await club.transfer('F-TO', [entry('OWN-DATE', 1)])).body.key).toBe('voucher_expired');
  });
});

describe('a repeat', () => {
  test("answers 200 with the destination's present state and moves nothing, after any changes to the cards", async () => {
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

  test('with other points or into another card is refused for ever', async () => {
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

  test('of some entries beside new ones is refused completely', async () => {
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

  test('with a source_id of another card is another transfer', async () => {
    await club.transfer('C-TO', [entry('D', 1, 'shared')]);
    expect((await club.transfer('C-TO', [entry('F', 1, 'shared')])).status).toBe(200);
    expect(await Promise.all([club.balance('D'), club.balance('F')])).toEqual([99, 99]);
  });
});

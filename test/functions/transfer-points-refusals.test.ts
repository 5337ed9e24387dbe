import { describe, expect, test } from 'vitest';
import { handler as transferHandler } from '../../functions/loyalties/transfer-points.ts';
import { caller } from '../support/call.ts';
import { coupon } from '../support/lists.ts';
import { card, entry, newClub, programme } from '../support/loyalty.ts';
import { loadProject } from '../support/project.ts';
import { bearer, issueToken } from '../support/tokens.ts';
import { unusable, unusableNames } from '../support/unusable.ts';

/** Makes cards for one test, so that all tests run on one project. */
const club = await newClub({
  campaigns: [
    programme('camp_club'),
    programme('camp_partner'),
    ...unusableNames.map((state) => programme(`camp_${state}`, unusable[state].fields)),
    programme('camp_over', { expiration_date: '2026-06-01T00:00:00Z' }),
    { id: 'camp_coupons', name: 'Coupons', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
  ],
  vouchers: [
    ...['F-TO', 'G-TO'].map((code) => card(code, 0)),
    ...['G', 'H'].map((code) => card(code, 100)),
    card('A-TO', 5),
    card('OFF', 100, { active: false }),
    card('OVER', 100, { expiration_date: '2026-06-15T11:59:59Z' }),
    card('OF-OVER', 100, { campaign_id: 'camp_over' }),
    ...unusableNames.flatMap((state) => [
      card(`IN-${state}`, 100, { campaign_id: `camp_${state}` }),
      card(`SELF-${state}`, 100, unusable[state].fields),
      card(`FROM-${state}`, 100),
    ]),
    card('LOOSE', 100, { campaign_id: undefined }),
    card('RICH', Number.MAX_SAFE_INTEGER),
    card('RICHER', Number.MAX_SAFE_INTEGER),
    coupon('COUPON', { type: 'AMOUNT', amount_off: 1 }, { campaign_id: 'camp_club' }),
  ],
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
  const call = caller(transferHandler);
  const params = { campaignId: 'camp_club', memberId: 'G-TO' };

  test.each<[string, unknown, string]>([
    ['of 0 points', [entry('G', 0)], '[0].points'],
    ['of less', [entry('G', -5)], '[0].points'],
    ['of a fraction of a point', [entry('G', 1.5)], '[0].points'],
    ['of a text that is not a whole number', [{ ...entry('G', 1), points: '1.5' }], '[0].points'],
    ['beyond the range of exact numbers', [entry('G', 2 ** 53)], '[0].points'],
    ['without points', [{ code: 'G', source_id: 's' }], '[0].points is required'],
    ['without a code', [{ points: 1, source_id: 's' }], '[0].code is required'],
    ['without a source_id', [{ code: 'G', points: 1 }], '[0].source_id is required'],
    ['with an empty source_id', [entry('G', 1, '')], '[0].source_id'],
    ['with a reason that is not a text', [{ ...entry('G', 1), reason: 5 }], '[0].reason'],
    ['with an entry that is not an object', [['G', 1, 's']], '[0]'],
    ['with every fault at once', [entry('G', 0), { code: 7 }], '[1].source_id is required'],
    ['without entries', [], 'at least 1 entry'],
    ['with an object for the array', entry('G', 1), 'array'],
    ['with null', null, 'array'],
    ['with a text that is not JSON', '[', ''],
    ['with the same code and source_id twice', [entry('G', 1, 'twice'), entry('G', 2, 'twice')], '[1] repeats'],
    ['to itself', [entry('G', 1), entry('G-TO', 1)], '[1] must not be the destination'],
    ['from a coupon', [entry('G', 1), entry('COUPON', 1)], '[1] must name a loyalty card'],
  ])('%s', async (_, body, named) => {
    const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
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
    ['into a card without a campaign', 'camp_club', 'LOOSE', 'G', 'not_found', 404, 'voucher', 'LOOSE'],
    ['in an unknown campaign', 'camp_nope', 'G-TO', 'G', 'not_found', 404, 'campaign', 'camp_nope'],
    [
      'in a campaign that is not a programme',
      'camp_coupons',
      'G-TO',
      'G',
      'not_found',
      404,
      'campaign',
      'camp_coupons',
    ],
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
    const body = [entry('G', 1)];
    expect((await call({ params, body })).body.key).toBe('unauthorized');
    const token = await issueToken(club.project.credentials, 'vouchers');
    expect((await call({ params, body, headers: bearer(token) })).body.key).toBe('insufficient_scope');
    const form = { ...club.project.credentials, 'content-type': 'application/x-www-form-urlencoded' };
    expect((await call({ params, body: 'a=b', headers: form })).body.key).toBe('unsupported_media_type');
  });

  test('for cards of another project, in the words for unknown ones', async () => {
    const other = await loadProject({ campaigns: [programme('camp_club')], vouchers: [card('X', 0), card('MINE', 9)] });
    const params = { campaignId: 'camp_club', memberId: 'X' };
    const own = await club.voucher('G');
    for (const code of ['G', own.id]) {
      const { body } = await call({ params, headers: other.credentials, body: [entry(code, 1)] });
      expect(body).toMatchObject({ key: 'not_found', resource_id: code });
    }
  });
});

import { describe, expect, test } from 'vitest';
import { handler as validateHandler } from '../../functions/validations/validate-redeemables.ts';
import { handler as endHandler } from '../../functions/vouchers/end-voucher-session.ts';
import { caller } from '../support/call.ts';
import { newClient, standingClock, testDependencies } from '../support/dependencies.ts';
import { validationRule } from '../support/lists.ts';
import { loadProject } from '../support/project.ts';

const off = { type: 'AMOUNT', amount_off: 100, effect: 'APPLY_TO_ORDER' };
const coupon = (code: string, quantity: number | null) => ({
  ...{ code, type: 'DISCOUNT_VOUCHER', active: true, discount: off },
  redemption: { quantity },
});

async function shop() {
  const project = await loadProject({
    campaigns: [{ id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'STATIC' }],
    promotion_tiers: [
      { id: 'promo_daily', name: 'Daily', hierarchy: 1, campaign_id: 'camp_promo', action: { discount: off } },
    ],
    validation_rules: [
      validationRule('val_daily', 'Two a day', { name: 'redemption.count.daily', conditions: { $less_than: [3] } }),
    ],
    validation_rules_assignments: [
      { id: 'asgm_1', rule_id: 'val_daily', related_object_type: 'promotion_tier', related_object_id: 'promo_daily' },
    ],
    vouchers: [
      coupon('ONE', 1),
      coupon('FIVE', 5),
      coupon('ALL', null),
      { ...coupon('OFF', 1), active: false },
      { code: 'CARD', type: 'GIFT_VOUCHER', active: true, gift: { amount: 500, effect: 'APPLY_TO_ORDER' } },
    ],
  });
  const { credentials: headers } = project;
  const clock = standingClock();
  const dependencies = { ...testDependencies({ clock }), dynamodb: newClient() };
  const validate = async (redeemables: (string | object)[], session?: string | object) => {
    const named = redeemables.map((one) => (typeof one === 'string' ? { object: 'voucher', id: one } : one));
    const asked = typeof session === 'string' ? { type: 'LOCK', key: session } : session;
    const body = { redeemables: named, order: { amount: 1_000 }, ...(asked ? { session: asked } : {}) };
    const reply = await caller(validateHandler, dependencies)({ headers, body });
    expect([reply.status, reply.body.details]).toEqual([200, undefined]);
    return reply.body;
  };
  const end = (code: string, sessionKey: string) =>
    caller(endHandler, dependencies)({ headers, params: { code, sessionKey } });
  return { validate, end, clock };
}

const errorOf = ({ redeemables: [first] }: { redeemables: { result: { error?: { key: string } } }[] }) =>
  first?.result.error?.key;

const detailsOf = ({ redeemables: [first] }: { redeemables: { result: { error?: { details: string } } }[] }) =>
  first?.result.error?.details;

describe('a session', () => {
  test('gets a key of its own, for 7 days, or the requested values', async () => {
    const { validate } = await shop();
    const made = { key: expect.stringMatching(/^ssn_[A-Za-z0-9]{32}$/), type: 'LOCK', ttl: 7, ttl_unit: 'DAYS' };
    expect((await validate(['FIVE'], { type: 'LOCK' })).session).toEqual(made);
    const asked = { type: 'LOCK', key: 'till-1', ttl: 90, ttl_unit: 'MINUTES' };
    expect((await validate(['FIVE'], asked)).session).toEqual(asked);
    expect(await validate(['FIVE'])).not.toHaveProperty('session');
  });

  test('keeps the last use from others until it ends, and may use it itself', async () => {
    const { validate, clock } = await shop();
    await validate(['ONE'], { type: 'LOCK', key: 'a', ttl: 1, ttl_unit: 'HOURS' });
    const refused = await validate(['ONE'], 'b');
    expect([refused.valid, errorOf(refused), refused.session]).toEqual([false, 'quantity_exceeded', undefined]);
    expect(errorOf(await validate(['ONE']))).toBe('quantity_exceeded');
    expect((await validate(['ONE'], { type: 'LOCK', key: 'a', ttl: 1, ttl_unit: 'HOURS' })).valid).toBe(true);
    clock.advance(3_600);
    expect((await validate(['ONE'], 'b')).valid).toBe(true);
  });

  test('keeps nothing after its end', async () => {
    const { validate, end } = await shop();
    await validate(['ONE'], 'a');
    expect((await end('ONE', 'a')).status).toBe(204);
    expect((await validate(['ONE'], 'b')).valid).toBe(true);
  });

  test('keeps the credits that it would use, and others have the rest; the next validation replaces it', async () => {
    const { validate } = await shop();
    const credits = async (count: number | undefined, session?: string) => {
      const gift = count === undefined ? {} : { gift: { credits: count } };
      return validate([{ object: 'voucher', id: 'CARD', ...gift }], session);
    };
    await credits(300, 'a');
    expect((await credits(undefined)).redeemables[0].result.gift).toEqual({ balance: 200, credits: 200 });
    expect(errorOf(await credits(201, 'b'))).toBe('gift_amount_exceeded');
    expect((await credits(450, 'a')).valid).toBe(true);
    expect((await credits(undefined)).redeemables[0].result.gift).toEqual({ balance: 50, credits: 50 });
  });

  test("keeps the counts of rules' limits", async () => {
    const { validate } = await shop();
    const tier = { object: 'promotion_tier', id: 'promo_daily' };
    expect((await validate([tier], 'a')).valid).toBe(true);
    expect((await validate([tier], 'b')).valid).toBe(true);
    expect(errorOf(await validate([tier], 'c'))).toBe('redemption_rules_violated');
    expect((await validate([tier], 'a')).valid).toBe(true);
  });

  test('keeps all of its redeemables or none', async () => {
    const { validate } = await shop();
    expect((await validate(['ONE', 'OFF'], 'a')).valid).toBe(false);
    expect((await validate(['ONE', 'FIVE'], 'b')).valid).toBe(true);
  });

  test('of a voucher without a limit keeps nothing, and is valid', async () => {
    const { validate, end } = await shop();
    expect(await validate(['ALL'], 'a')).toMatchObject({ valid: true, session: { key: 'a' } });
    expect((await end('ALL', 'a')).status).toBe(204);
  });

  test('is given to as many of twenty callers at once as uses exist', async () => {
    const { validate } = await shop();
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => validate(['FIVE'], `s${index}`)));
    expect(all.filter(({ valid }) => valid)).toHaveLength(5);
    expect(errorOf(await validate(['FIVE']))).toBe('quantity_exceeded');
  });
});

describe('a card that another session holds', () => {
  const lock = (key: string, ttl = 10) => ({ type: 'LOCK', key, ttl, ttl_unit: 'MINUTES' });
  const gift = (credits: number) => ({ object: 'voucher', id: 'CARD', gift: { credits } });

  test('is refused with the time when the first session ends, and is never called empty', async () => {
    const { validate, clock } = await shop();
    await validate([gift(300)], lock('a', 20));
    await validate([gift(200)], lock('b', 10));
    expect(detailsOf(await validate(['CARD']))).toBe(
      'CARD (other sessions hold 500 credits, the first until 2026-06-15T12:10:00.000Z)',
    );
    // After that time, the card has the credits of the first session again.
    clock.advance(10 * 60);
    expect((await validate(['CARD'])).redeemables[0].result.gift).toEqual({ balance: 200, credits: 200 });
  });

  test('says so beside what is left, if that is too little', async () => {
    const { validate } = await shop();
    await validate([gift(300)], lock('a'));
    expect(detailsOf(await validate([gift(201)]))).toBe(
      'CARD (200 credits are left, and 201 are asked for: other sessions hold 300 credits, the first until 2026-06-15T12:10:00.000Z)',
    );
  });

  test('is open to the session itself', async () => {
    const { validate } = await shop();
    await validate([gift(500)], lock('a'));
    expect(detailsOf(await validate(['CARD'], lock('a')))).toBeUndefined();
  });
});

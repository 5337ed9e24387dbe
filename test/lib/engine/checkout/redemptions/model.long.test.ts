import fc from 'fast-check';
import { expect, test } from 'vitest';
import { handler as transferHandler } from '../../../../../functions/loyalties/transfer-points.ts';
import { handler as redeemHandler } from '../../../../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBackHandler } from '../../../../../functions/redemptions/rollback-redemptions.ts';
import { handler as rewardHandler } from '../../../../../functions/rewards/get-reward.ts';
import { handler as validateHandler } from '../../../../../functions/validations/validate-redeemables.ts';
import { handler as adjustHandler } from '../../../../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as endHandler } from '../../../../../functions/vouchers/end-voucher-session.ts';
import { handler as voucherHandler } from '../../../../../functions/vouchers/get-voucher.ts';
import { handler as updateHandler } from '../../../../../functions/vouchers/update-voucher.ts';
import { caller } from '../../../../support/call.ts';
import { standingClock, testDependencies, uniqueId } from '../../../../support/dependencies.ts';
import { sum } from '../../../../support/order-figures.ts';
import { loadProject } from '../../../../support/project.ts';
import { isLong } from '../../../../support/sampled.ts';
import { Oracle } from './oracle.ts';
import { type Code, type Command, codes, command, lists, type Used } from './stories.ts';

/**
 * The rest of a voucher is its initial value and additions, minus the uses of redemptions that were not rolled back. Uses that others have
 * locked are not available, and neither is an expired voucher.
 */

const storiesAtOnce = isLong ? 10 : 6;
/** Each share is a separate test, so that it has time on a busy machine. */
const shares = Array.from({ length: isLong ? 6 : 1 }, (_, share) => share);
/** `MODEL_SEED` sets another seed. A failure prints its own. */
const seed = Number(process.env.MODEL_SEED ?? 20_261_122);

/** Returns the redeemable of a request, on an order worth more than all vouchers. */
function bodyOf({ FEW, GIFT, CARD, isMug }: Used, session?: object) {
  const reward = isMug ? { id: 'rew_mug' } : { id: 'rew_coin', points: CARD };
  const redeemables = [
    ...(FEW ? [{ object: 'voucher', id: 'FEW' }] : []),
    ...(GIFT ? [{ object: 'voucher', id: 'GIFT', gift: { credits: GIFT } }] : []),
    ...(CARD ? [{ object: 'voucher', id: 'CARD', reward }] : []),
  ];
  return { redeemables, customer: { id: 'cust_ada' }, order: { amount: 1_000_000 }, ...(session ? { session } : {}) };
}

async function play(commands: readonly Command[]): Promise<void> {
  const { credentials: headers } = await loadProject(lists);
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const call = (handler: Parameters<typeof caller>[0], request: object) =>
    caller(handler, dependencies)({ headers, ...request });
  const oracle = new Oracle();

  async function run(one: Command): Promise<void> {
    const now = clock().getTime();
    switch (one.kind) {
      case 'validate': {
        const { session: key, minutes } = one;
        const asked = key && { type: 'LOCK', key, ttl: minutes, ttl_unit: 'MINUTES' };
        const { status, body } = await call(validateHandler, { body: bodyOf(one.use, asked || undefined) });
        const isAllowed = oracle.allows(one.use, key, now);
        expect([status, body.valid]).toEqual([200, isAllowed]);
        if (key && isAllowed) oracle.lock(one.use, key, now + minutes * 60_000);
        return;
      }
      case 'redeem': {
        const { session: key } = one;
        const asked = key && { type: 'LOCK', key };
        const { status, body } = await call(redeemHandler, { body: bodyOf(one.use, asked || undefined) });
        expect(status).toBe(oracle.allows(one.use, key, now) ? 200 : 400);
        if (status !== 200) return;
        const { id } = body.parent_redemption ?? body.redemptions[0];
        oracle.redeemed.push({ id, used: one.use, stands: true });
        for (const code of codes) if (key && one.use[code] !== undefined) oracle.unlock(code, key);
        return;
      }
      case 'rollBack': {
        const found = oracle.redeemed[one.which % Math.max(1, oracle.redeemed.length)];
        if (!found) return;
        const { status, body } = await call(rollBackHandler, { params: { redemptionId: found.id } });
        expect([status, body.key]).toEqual(found.stands ? [200, undefined] : [400, 'already_rolled_back']);
        found.stands = false;
        return;
      }
      case 'end': {
        const { status } = await call(endHandler, { params: { code: one.code, sessionKey: one.session } });
        expect(status).toBe(oracle.hasLock(one.code, one.session, now) ? 204 : 404);
        return oracle.unlock(one.code, one.session);
      }
      case 'adjust': {
        const { code, amount } = one;
        const { status } = await call(adjustHandler, { params: { code }, body: { amount } });
        const isThere = oracle.left(code) + amount >= 0;
        expect(status).toBe(isThere ? 200 : 400);
        if (isThere) oracle.had[code] += amount;
        return;
      }
      case 'transfer': {
        const { from, points } = one;
        const params = { campaignId: 'camp_club', memberId: from === 'CARD' ? 'SPARE' : 'CARD' };
        const body = [{ code: from, points, source_id: uniqueId('move-') }];
        const { status } = await call(transferHandler, { params, body });
        const isThere = (from === 'CARD' ? oracle.left('CARD') : oracle.spare) >= points;
        expect(status).toBe(isThere && !oracle.over.has('CARD') ? 200 : 400);
        if (status !== 200) return;
        const moved = from === 'CARD' ? -points : points;
        oracle.had.CARD += moved;
        oracle.spare -= moved;
        return;
      }
      case 'expire':
      case 'renew': {
        const { code, kind } = one;
        const expiration_date = kind === 'expire' ? new Date(now - 1).toISOString() : null;
        expect((await call(updateHandler, { params: { code }, body: { expiration_date } })).status).toBe(200);
        if (kind === 'expire') oracle.over.add(code);
        else oracle.over.delete(code);
        return;
      }
      case 'wait':
        clock.advance(one.minutes * 60);
    }
  }

  async function check(): Promise<void> {
    const [few, gift, points] = await Promise.all(
      codes.map(async (code) => (await call(voucherHandler, { params: { code } })).body),
    );
    const mug = await call(rewardHandler, { params: { rewardId: 'rew_mug' } });
    const { body: other } = await call(voucherHandler, { params: { code: 'SPARE' } });
    const used = (code: Code) => sum(oracle.usesOf(code));
    const counted = (code: Code) => oracle.usesOf(code).length;
    expect(few.redemption.redeemed_quantity).toBe(counted('FEW'));
    expect([gift.gift.balance, gift.redemption.redeemed_amount, gift.redemption.redeemed_quantity]).toEqual([
      oracle.left('GIFT'),
      used('GIFT'),
      counted('GIFT'),
    ]);
    const { redeemed_points, redeemed_quantity } = points.redemption;
    expect([points.loyalty_card.balance, redeemed_points, redeemed_quantity]).toEqual([
      oracle.left('CARD'),
      used('CARD'),
      counted('CARD'),
    ]);
    expect(other.loyalty_card.balance).toBe(oracle.spare);
    expect(mug.body.redeemed ?? 0).toBe(oracle.mugs());
  }

  for (const one of commands) {
    await run(one);
    await check();
  }
}

test.each(shares)('random stories end with the results of a count on paper, share %i', async (share) => {
  const stories = fc.array(command, { minLength: 8, maxLength: 25, size: 'max' });
  await fc.assert(fc.asyncProperty(stories, play), {
    seed: seed + share,
    numRuns: storiesAtOnce,
    endOnFailure: true,
  });
});

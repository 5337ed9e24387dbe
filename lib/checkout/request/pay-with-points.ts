import { findProgrammes, type Programme } from '../../campaigns/programme.ts';
import { formatDay } from '../../core/calendar.ts';
import type { Reading } from '../../http/context.ts';
import { computeBalance } from '../../ledger/card.ts';
import { type ChosenReward, findReward, isChosen } from '../../loyalty/rewards/find-reward.ts';
import type { Refusal } from '../../rules/benefit.ts';
import { lockedOf, type Target } from './targets.ts';

/** The use of a loyalty card's points, by the rules of its programme. */
export interface PaidReward extends ChosenReward {
  readonly programme: Programme | undefined;
}

/** The reasons why cards' rewards are unavailable, by code, if an earlier attempt found them. */
export type Refusals = ReadonlyMap<string, Refusal>;

export function isPaid(found: PaidReward | Refusal): found is PaidReward {
  return isChosen(found);
}

/** Returns the reward of each loyalty card, or why it is unavailable. Other redeemables have none. */
export async function findRewards(
  context: Reading,
  targets: readonly Target[],
  { session, refused }: { session: string | undefined; refused: Refusals | undefined },
): Promise<(PaidReward | Refusal | undefined)[]> {
  const cards = targets.map(({ voucher }) => (voucher?.type === 'LOYALTY_CARD' ? voucher : undefined));
  const ids = cards.flatMap((card) => card?.campaign_id ?? []);
  if (cards.every((card) => card === undefined)) return [];
  const programmes = await findProgrammes(context, ids);
  return Promise.all(
    targets.map(async (target, index) => {
      const card = cards[index];
      if (!card) return undefined;
      const late = refused?.get(card.code);
      if (late) return late;
      const programme = programmes.get(card.campaign_id ?? '');
      const { sessions_ended: endedAround = 0 } = programme?.campaign ?? {};
      const locked = lockedOf(target, { except: session, now: context.now, endedAround });
      const balance = Math.max(0, computeBalance(formatDay(context.now), card) - locked);
      const found = await findReward(context, card, programme, target.asked.reward, balance);
      return isChosen(found) ? { ...found, programme } : found;
    }),
  );
}

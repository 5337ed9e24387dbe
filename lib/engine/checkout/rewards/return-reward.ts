import * as v from 'valibot';
import { findProgrammes } from '#engine/campaigns/programme.ts';
import { activityTypes, type Occasion } from '#engine/ledger/activities/activity.ts';
import { recordActivity } from '#engine/ledger/activities/record-activities.ts';
import { applyPostings, computeBalance } from '#engine/ledger/card.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import { moveFreeVoucher, noteChange } from '#engine/ledger/codes/voucher-lists.ts';
import type { LedgerEntry } from '#engine/ledger/ledger-entry.ts';
import { rewards } from '#engine/loyalty/reward.ts';
import { settleCards } from '#engine/loyalty/settle-cards.ts';
import { postToGift } from '#engine/vouchers/gift-credit.ts';
import type { MemberCard } from '#engine/vouchers/member-card.ts';
import { giftFigures, type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { count, nullable } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { type RewardGiven, rewardRedemptions } from './reward-redemption.ts';

/** The redemption of a reward, which is rolled back. */
export interface Returning {
  /** The current paying card. Points of a deleted card are lost. */
  readonly card: MemberCard | undefined;
  readonly given: RewardGiven;
  /** The reward, as the redemption shows it. */
  readonly shown?: Readonly<Record<string, unknown>> | undefined;
  readonly occasion: Occasion;
  readonly redemptionId: string;
  readonly rollbackId: string;
  /** The order of the redemption. */
  readonly order?: LedgerEntry['about']['order'];
}

function notThere(details: string, { redemptionId }: Returning): ServiceError {
  return new ServiceError('invalid_redemption', { details, resource: { id: redemptionId, type: 'redemption' } });
}

function aboutOf({ given, redemptionId, rollbackId, order }: Returning): LedgerEntry['about'] {
  const reward = { id: given.reward_id, name: given.name };
  return { redemption: { id: redemptionId }, rollback: { id: rollbackId }, reward, ...(order ? { order } : {}) };
}

/** Disables an unused code. 400 `invalid_redemption` if the code was used. */
function disabled({ project, now }: Reading, item: VoucherItem, returning: Returning): Effect[] {
  const { id, code, active, holder_id, redeemed_quantity, revision } = item;
  if (redeemed_quantity > 0) throw notThere(`the voucher ${code} that the reward gave was used`, returning);
  return [
    change(vouchers(project.id, id), (update) =>
      moveFreeVoucher(noteChange(update, project.id, id, now.toISOString()), project.id, { ...item, active: false })
        .whenThere()
        .whenStill('active', active ?? undefined)
        .whenStill('holder_id', holder_id ?? undefined)
        .whenBelow('redeemed_quantity', 1)
        .whenStill('revision', revision)
        .set(['active'], false),
    ),
  ];
}

/** Returns the card's credits or points. */
function leftOn(item: VoucherItem, now: Date): number {
  return item.type === 'GIFT_VOUCHER' ? (giftFigures(item)?.balance ?? 0) : computeBalance(formatDay(now), item);
}

const shownReward = v.object({ parameters: v.object({ campaign: v.object({ balance: nullable(count) }) }) });

/** Returns the amount that the reward added to a card, new or existing. */
function amountOf({ given: { issued, credits, points }, shown }: Returning): number {
  const { amount } = credits ?? points ?? issued ?? {};
  return amount ?? v.parse(shownReward, shown).parameters.campaign.balance ?? 0;
}

/**
 * Subtracts the points. The card stays active, because its holder may have more on it. `again` means that points have expired: read
 * again.
 */
async function takenBack(
  context: Reading,
  item: VoucherItem,
  amount: number,
  returning: Returning,
): Promise<Effect[] | Again> {
  if (amount === 0) return [];
  const { project, now } = context;
  const { occasion } = returning;
  const programme = (await findProgrammes(context, [item.campaign_id])).get(item.campaign_id ?? '');
  const about = aboutOf(returning);
  if (leftOn(item, now) < amount)
    throw notThere(`the card ${item.code} no longer has the balance that the reward gave`, returning);
  if (item.type === 'GIFT_VOUCHER') {
    const posting = { type: 'CREDITS_REMOVAL', points: -amount, corrects: true, about } as const;
    return postToGift(project.id, { item, campaign: programme?.campaign }, occasion, posting).effects;
  }
  const card = { item, programme };
  if (await settleCards(context, [card])) return again;
  const changed = applyPostings(card, occasion, [{ type: 'POINTS_REMOVAL', points: -amount, corrects: true, about }]);
  return cardEffects(project.id, changed, now).effects;
}

/** Takes back a campaign's reward: a code, or a balance on a card. */
async function campaignReturned(context: Reading, returning: Returning): Promise<Effect[] | Again> {
  const { table, project } = context;
  const { issued, credits, points } = returning.given;
  const given = issued ?? credits ?? points;
  const { item } = await read(table, { item: given && vouchers(project.id, given.voucher_id) });
  if (!item || (given?.created_at ?? item.created_at) !== item.created_at) return [];
  if (item.type === 'DISCOUNT_VOUCHER') return disabled(context, item, returning);
  return takenBack(context, item, amountOf(returning), returning);
}

/** Marks the reward as returned once, so that a repeated rollback returns nothing. */
function marked(projectId: string, { card, given, occasion }: Returning): Effect[] {
  const { reward_redemption_id: id, reward_id, name } = given;
  if (id === undefined) return [];
  const told = card?.item.holder_id
    ? recordActivity(projectId, card.item.holder_id, occasion, {
        type: activityTypes.rewardRedemptionRolledBack,
        campaign: card.programme?.campaign,
        code: card.item.code,
        data: {
          reward: { id: reward_id, name, object: 'reward' },
          reward_redemption: { id, status: 'ROLLED_BACK', object: 'reward_redemption' },
          voucher: { id: card.item.id, code: card.item.code, object: 'voucher' },
        },
      })
    : [];
  const rolledBack = change(rewardRedemptions(projectId, id), (update) =>
    update
      .whenThere()
      .whenStill('updated_at', undefined)
      .set(['status'], 'ROLLED_BACK')
      .set(['updated_at'], occasion.now.toISOString()),
  );
  return [rolledBack, ...told];
}

/**
 * Takes back the reward of points, as part of the transaction that returns the points. `again` means that points have
 * expired: read again. 400 `invalid_redemption` if the reward was used.
 */
export async function returnReward(context: Reading, returning: Returning): Promise<Effect[] | Again> {
  const { table, project } = context;
  const { card, given } = returning;
  if (card && (await settleCards(context, [card]))) return again;
  const [received, { reward }] = await Promise.all([
    campaignReturned(context, returning),
    read(table, { reward: given.stock ? rewards(project.id, given.reward_id) : undefined }),
  ]);
  if (received === again) return again;
  const back = (reward ? [reward] : []).map(({ id }) =>
    change(rewards(project.id, id), (update) => update.whenThere().add('redeemed', -(given.stock ?? 0))),
  );
  return [...received, ...back, ...marked(project.id, returning)];
}

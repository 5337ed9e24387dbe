import { findProgrammes } from '#engine/campaigns/programme.ts';
import { returnReward } from '#engine/checkout/rewards/return-reward.ts';
import { type Received, receiveReward } from '#engine/checkout/rewards/reward-effects.ts';
import { customers } from '#engine/customers/customer.ts';
import { applyPostings, computeBalance } from '#engine/ledger/card.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import { voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import { findSpentLots, returnLots, sumPoints } from '#engine/ledger/lots.ts';
import { type AskedReward, findReward, isChosen } from '#engine/loyalty/rewards/find-reward.ts';
import { settleCards } from '#engine/loyalty/settle-cards.ts';
import { postToGifts } from '#engine/vouchers/gift-credit.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { findProject } from '#kernel/access/projects/project.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { newId } from '#kernel/core/ids.ts';
import { again, retryOptimistically } from '#kernel/table/conflicts.ts';
import { commit } from '#kernel/table/effects.ts';
import { read } from '#kernel/table/read.ts';
import { Table } from '#kernel/table/table.ts';
import { testDependencies, testTime, uniqueId } from './dependencies.ts';
import { couponCampaign, giftCampaign, giftVoucher, loyaltyTier, validationRule } from './lists.ts';
import { programme } from './loyalty.ts';
import { loadProject } from './project.ts';

const assigned = (id: string, reward_id: string, points?: number) => ({
  id,
  reward_id,
  related_object_id: 'camp_club',
  related_object_type: 'campaign',
  ...(points === undefined ? {} : { parameters: { loyalty: { points } } }),
});
const ofCampaign = (id: string, campaign: string, balance: number | null) => ({
  id,
  name: `Name of ${id}`,
  type: 'CAMPAIGN',
  parameters: { campaign: { id: campaign, balance } },
});

/** Cards CARD-0 … with 1,000 points each, held by cust_0 …, and rewards of each kind. */
const members = Array.from({ length: 20 }, (_, index) => index);

const lists = {
  customers: members.map((index) => ({ id: `cust_${index}`, name: `Member ${index}` })),
  campaigns: [
    programme('camp_club'),
    programme('camp_other', { voucher: { type: 'LOYALTY_CARD', loyalty_card: { points: 5 } } }),
    couponCampaign('camp_codes', 'Codes', { type: 'PERCENT', percent_off: 10 }, { type: 'AUTO_UPDATE' }),
    { id: 'camp_none', name: 'None left', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' },
    giftCampaign('camp_gift', 'Gifts', { amount: 0 }, { type: 'AUTO_UPDATE' }),
  ],
  vouchers: [
    ...members.map((index) => ({
      code: `CARD-${index}`,
      type: 'LOYALTY_CARD',
      campaign_id: 'camp_club',
      active: true,
      holder_id: `cust_${index}`,
      loyalty_card: {
        points: 1_000,
        balance: 1_000,
        lots: [
          { points: 40, expires: '2026-06-20' },
          { points: 960, expires: null },
        ],
      },
    })),
    { code: 'NOBODYS', type: 'LOYALTY_CARD', campaign_id: 'camp_club', loyalty_card: { points: 0, balance: 0 } },
    { code: 'FREE', type: 'DISCOUNT_VOUCHER', campaign_id: 'camp_codes', active: true },
    giftVoucher('TIN', { amount: 70, balance: 70 }, { campaign_id: 'camp_gift', holder_id: 'cust_1' }),
  ],
  products: [{ id: 'prod_mug', name: 'Mug' }],
  rewards: [
    { id: 'rew_mug', name: 'Mug', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } }, stock: 5 },
    ofCampaign('rew_code', 'camp_codes', null),
    ofCampaign('rew_none', 'camp_none', null),
    ofCampaign('rew_gift', 'camp_gift', 300),
    ofCampaign('rew_points', 'camp_other', 25),
    ofCampaign('rew_own', 'camp_club', 25),
    { id: 'rew_coin', name: 'Coins', type: 'COIN', parameters: { coin: { exchange_ratio: 20, points_ratio: 100 } } },
    { id: 'rew_unassigned', name: 'Hat', type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } } },
  ],
  reward_assignments: [
    assigned('rewa_mug', 'rew_mug', 50),
    assigned('rewa_code', 'rew_code', 30),
    assigned('rewa_none', 'rew_none', 30),
    assigned('rewa_gift', 'rew_gift', 200),
    assigned('rewa_points', 'rew_points', 10),
    assigned('rewa_own', 'rew_own', 10),
    assigned('rewa_coin', 'rew_coin'),
  ],
  validation_rules: [
    validationRule('val_big', 'Big orders', { name: 'order.amount', conditions: { $more_than: [10_000] } }),
  ],
  loyalty_tiers: [
    { id: 'ltr_low', name: 'Low', campaign_id: 'camp_club', points: { from: 0, to: 899 } },
    loyaltyTier('ltr_high', 'High', { from: 900 }, { rewards: { rewa_mug: { type: 'CUSTOM', points: 45 } } }),
  ],
};

/** Loads a project for rewards. Returns the reward effects of a redemption without its other effects. */
export async function openRewards(more: object = {}) {
  const loaded = await loadProject({ ...lists, ...more });
  const { dynamodb, tableName } = testDependencies();
  const contextAt = async (now: Date) => {
    const table = new Table(dynamodb, tableName, now, { patienceInMs: 30_000 });
    const project = await findProject(table, loaded.id);
    if (!project) throw new Error('the project does not exist');
    return { table, project, now };
  };
  type Context = Awaited<ReturnType<typeof contextAt>>;
  const occasionOf = ({ now }: Context) => ({ now, groupId: newId('group'), source: { channel: 'API' } });

  async function cardOf(context: Context, code: string) {
    const { table, project } = context;
    const { item } = await read(table, { item: vouchers(project.id, voucherId(project, code)) });
    if (!item) throw new Error(`no voucher has the code ${code}`);
    const programmes = await findProgrammes(context, [item.campaign_id]);
    return { item, programme: programmes.get(item.campaign_id ?? '') };
  }

  async function find(code: string, asked: AskedReward | undefined) {
    const context = await contextAt(testTime);
    const { item, programme: of } = await cardOf(context, code);
    return findReward(context, item, of, asked);
  }

  /** Makes one attempt. Returns undefined if another caller was faster. */
  async function attempt(context: Context, member: number, rewardId: string, redemptionId: string) {
    const { table, project } = context;
    const card = await cardOf(context, `CARD-${member}`);
    const chosen = await findReward(context, card.item, card.programme, { id: rewardId });
    if (!isChosen(chosen)) return { refusal: chosen };
    const { customer } = await read(table, { customer: customers(project.id, `cust_${member}`) });
    if (!customer) throw new Error('the member does not exist');
    const points = chosen.benefit.kind === 'reward' ? chosen.benefit.reward.points : 100;
    const occasion = occasionOf(context);
    if (await settleCards(context, [card])) return again;
    const paid = applyPostings(card, occasion, [{ type: 'POINTS_REDEMPTION', points: -points }]);
    const spent = findSpentLots(paid.before.lots, paid.after.lots);
    const redeemed = await receiveReward(context, { card, chosen, customer, occasion, redemptionId, spent });
    if (redeemed === again) return again;
    const ofCards = [paid, ...redeemed.credited].flatMap((one) => cardEffects(project.id, one, context.now).effects);
    const ofGifts = postToGifts(project.id, redeemed.gifts, occasion);
    if (!(await commit(table, [...ofCards, ...ofGifts, ...redeemed.effects]))) return again;
    return { redeemed };
  }

  async function redeem(member: number, rewardId: string, redemptionId = uniqueId('r_')) {
    const context = await contextAt(testTime);
    const done = await retryOptimistically(context.table, () => attempt(context, member, rewardId, redemptionId));
    return { ...done, redemptionId };
  }

  async function rollBack(member: number, { given }: Received, redemptionId: string, now = testTime) {
    const context = await contextAt(now);
    return retryOptimistically(context.table, async () => {
      const card = await cardOf(context, `CARD-${member}`);
      const rollbackId = redemptionId.replace('r_', 'rr_');
      const occasion = occasionOf(context);
      const effects = await returnReward(context, { card, given, occasion, redemptionId, rollbackId });
      if (effects === again) return again;
      const returned = returnLots(given.spent, formatDay(now));
      const refund = { type: 'POINTS_REFUND', points: sumPoints(returned), returned } as const;
      const back = cardEffects(context.project.id, applyPostings(card, occasion, [refund]), now).effects;
      return (await commit(context.table, [...back, ...effects])) || again;
    });
  }

  return {
    project: loaded,
    find,
    redeem,
    rollBack,
    attempt: async (member: number, rewardId: string, redemptionId: string) =>
      attempt(await contextAt(testTime), member, rewardId, redemptionId),
    read: async (code: string) => (await cardOf(await contextAt(testTime), code)).item,
    balance: async (code: string, now = testTime) =>
      computeBalance(formatDay(now), (await cardOf(await contextAt(now), code)).item),
  };
}

export type Rewards = Awaited<ReturnType<typeof openRewards>>;

import { settleDue } from '#registry.ts';
import { handler as earn } from '../../functions/events/send-event.ts';
import { handler as transfer } from '../../functions/loyalties/transfer-points.ts';
import { handler as createOrder } from '../../functions/orders/create-order.ts';
import { handler as updateOrder } from '../../functions/orders/update-order.ts';
import { handler as publish } from '../../functions/publications/create-publication.ts';
import { handler as redeem } from '../../functions/redemptions/redeem-redeemables.ts';
import { handler as rollBack } from '../../functions/redemptions/rollback-redemption.ts';
import { handler as rollBackAll } from '../../functions/redemptions/rollback-redemptions.ts';
import { handler as adjust } from '../../functions/vouchers/adjust-voucher-balance.ts';
import { handler as remove } from '../../functions/vouchers/delete-voucher.ts';
import { club } from '../support/club.ts';
import { Books } from './books.ts';
import type { World } from './world.ts';

const made = { created_at: '2026-01-10T09:00:00.000Z' };

/** A shop with codes, a promotion tier, gift cards and a loyalty programme. Names have quotes and line breaks. */
export const lists = {
  ...club,
  campaigns: [
    ...club.campaigns,
    { id: 'camp_free', name: 'It\'s "free"\nfor all', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC', ...made },
    { id: 'camp_promo', name: 'Promo', campaign_type: 'PROMOTION', type: 'AUTO_UPDATE', ...made },
  ],
  promotion_tiers: [
    {
      id: 'promo_ten',
      name: 'Ten',
      campaign_id: 'camp_promo',
      hierarchy: 1,
      active: true,
      action: { discount: { type: 'PERCENT', percent_off: 10 } },
      ...made,
    },
  ],
  vouchers: [
    ...club.vouchers,
    { code: 'FIVE', type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 500 }, active: true },
    ...['A', 'B', 'C', 'D'].map((name) => ({
      code: `FREE-${name}`,
      type: 'DISCOUNT_VOUCHER',
      campaign_id: 'camp_free',
      discount: { type: 'AMOUNT', amount_off: 700 },
      active: true,
    })),
  ],
};

const codes = ['FIVE', 'FREE-A', 'FREE-B', 'GIFT', 'ADA', 'BOB', 'RICH', 'NOBODYS', 'UNKNOWN'];
const customers = ['cust_ada', 'cust_bob'];

/** Each redemption of a reply then has its own discount, which the books need. */
export const everything = { options: { expand: ['redeemable', 'order'] } };

const nameBack = ({ redemption, date }: { redemption: string; date: string }) => [redemption, date] as const;

/** Plays random calls. Some are refused, and some are made twice simultaneously. Returns how many succeeded, and their books. */
export async function play({ call, clock, dependencies }: World, below: (bound: number) => number, steps: number) {
  const books = new Books();
  const redemptions: string[] = [];
  const orders: string[] = [];
  let succeeded = 0;
  const pick = <T>(from: readonly T[]) => from[below(from.length)];
  const customer = () => ({ id: pick(customers) });

  const steplist: (() => Promise<number>)[] = [
    async () => {
      const chosen = [...new Set(Array.from({ length: 1 + below(3) }, () => pick(codes)))];
      const redeemables: object[] = chosen.map((id) => ({
        object: 'voucher',
        id,
        ...(id === 'GIFT' ? { gift: { credits: 1 + below(300) } } : {}),
        ...(['ADA', 'BOB', 'RICH', 'NOBODYS'].includes(id ?? '') ? { reward: { points: 1 + below(40) } } : {}),
      }));
      if (below(2) === 0) redeemables.push({ object: 'promotion_tier', id: 'promo_ten' });
      const body = { redeemables, customer: customer(), order: { amount: 1_000 + below(90_000) }, ...everything };
      const replies = await Promise.all(Array.from({ length: 1 + below(2) }, () => call(redeem, { body })));
      for (const one of replies) {
        const { status, body: reply } = one;
        if (status !== 200) continue;
        books.enterSale(one);
        if (reply.parent_redemption) redemptions.push(`parent ${reply.parent_redemption.id}`);
        for (const { id } of reply.redemptions) redemptions.push(id);
      }
      return replies.filter(({ status }) => status === 200).length;
    },
    async () => {
      const [first = '', second] = (pick(redemptions) ?? 'r_none').split(' ');
      const handler = second ? rollBackAll : rollBack;
      const params: Record<string, string> = second
        ? { parentRedemptionId: second, redemptionId: second }
        : { redemptionId: first };
      const replies = await Promise.all([1, 2].map(() => call(handler, { params, body: {} })));
      for (const { status, body } of replies) {
        if (status === 200) books.enterBack(...nameBack(second ? body.rollbacks[0] : body));
      }
      return replies.filter(({ status }) => status === 200).length;
    },
    async () => {
      const status = pick(['CREATED', 'PAID']);
      const body = { amount: 1_000 + below(9_000), discount_amount: below(2) * 300, status, customer: customer() };
      const reply = await call(createOrder, { body });
      if (reply.status === 200) orders.push(reply.body.id);
      return reply.status === 200 ? 1 : 0;
    },
    async () => {
      const body = { status: pick(['PAID', 'FULFILLED', 'CANCELED']), amount: 1_000 + below(9_000) };
      const { status } = await call(updateOrder, { params: { orderId: pick(orders) ?? 'ord_none' }, body });
      return status === 200 ? 1 : 0;
    },
    async () => {
      const body = { campaign: { name: pick(['It\'s "free"\nfor all', 'Spring']) }, customer: customer() };
      return (await call(publish, { body })).status === 200 ? 1 : 0;
    },
    async () => {
      const body = { amount: below(200) - 100 };
      return (await call(adjust, { params: { code: pick(codes) ?? '' }, body })).status === 200 ? 1 : 0;
    },
    async () => {
      const body = [{ code: 'BOB', points: 1 + below(50), source_id: `t-${below(20)}` }];
      const params = { campaignId: 'camp_club', memberId: 'RICH' };
      return (await call(transfer, { params, body })).status === 200 ? 1 : 0;
    },
    async () => {
      const event = pick(['visited', 'review_written', 'photo_added']);
      return (await call(earn, { body: { event, customer: customer() } })).status === 200 ? 1 : 0;
    },
    async () => {
      clock.advance(3_600 * (1 + below(600)));
      await settleDue(dependencies);
      return 0;
    },
    async () => {
      if (below(6) > 0) return 0;
      return (await call(remove, { params: { code: pick(['BOB', 'FREE-B']) ?? '' } })).status === 204 ? 1 : 0;
    },
  ];

  for (let step = 0; step < steps; step++) succeeded += (await pick(steplist)?.()) ?? 0;
  return { succeeded, books };
}

import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import type { Programme } from '#engine/campaigns/programme.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { findHeldCards } from '#engine/customers/find-customer.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { applyPostings, type ChangedCard } from '#engine/ledger/card.ts';
import type { LedgerEntry } from '#engine/ledger/ledger-entry.ts';
import { chooseCard } from '#engine/loyalty/earning/gains.ts';
import { newCard } from '#engine/loyalty/new-card.ts';
import { settleCards } from '#engine/loyalty/settle-cards.ts';
import { findJoined } from '#engine/publishing/earlier-publications.ts';
import { findOrMakeVoucher, publishOne } from '#engine/publishing/give-vouchers.ts';
import { type GivenVoucher, setHolder } from '#engine/publishing/given-voucher.ts';
import { type GiftChange, newGiftItem, previewPosting } from '#engine/vouchers/gift-credit.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { newTimedId } from '#kernel/core/ids.ts';
import type { Reading } from '#kernel/http/context.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import type { Effect } from '#kernel/table/effects.ts';
import type { RewardGiven } from './reward-redemption.ts';

/** The customer and the reason. */
export interface RewardGiving {
  readonly customer: Pick<CustomerItem, 'id' | 'source_id'>;
  readonly occasion: Occasion;
  readonly about: LedgerEntry['about'];
}

export interface GivenOfCampaign {
  readonly effects: Effect[];
  /** A gift card that gets credits, for other changes of gift cards in the transaction. */
  readonly gifts: readonly GiftChange[];
  /** A card that gets points, for other changes of cards in the transaction. */
  readonly credited: readonly ChangedCard<VoucherItem>[];
  /** The voucher afterwards, without other changes of the transaction. */
  readonly voucher: VoucherItem;
  /** True if the reward makes a card for the customer, which the customer's change must note. */
  readonly getsCard: boolean;
  readonly given: Pick<RewardGiven, 'issued' | 'credits' | 'points'>;
}

/** Makes the error for a customer who holds cards of the campaign and cannot use any. */
function noneUsable({ name }: CampaignTerms): ServiceError {
  return new ServiceError('voucher_cannot_be_published', {
    details: `the customer's card of ${name} cannot be used now`,
  });
}

interface Publishing {
  readonly voucher: GivenVoucher;
  readonly joined: Awaited<ReturnType<typeof findJoined>> | undefined;
  /** The balance that the reward adds to a card. */
  readonly amount?: number;
}

async function published(
  context: Reading,
  programme: Programme,
  { customer, occasion }: RewardGiving,
  { voucher, joined, amount }: Publishing,
): Promise<GivenOfCampaign> {
  const { campaign } = programme;
  const { id, created_at, type } = voucher.item;
  const giving = {
    publicationId: newTimedId('publication', context.now),
    metadata: {},
    customerId: customer.id,
    programme: campaign.campaign_type === 'LOYALTY_PROGRAM' ? programme : undefined,
    campaign,
    occasion,
    lost: new Set<string>(),
  };
  const asked = { channel: 'API', sourceId: undefined, metadata: giving.metadata };
  const plan = { asked, target: { campaign, count: 1 }, customer: { after: customer }, joined, giving };
  return {
    effects: publishOne(context, plan, voucher),
    gifts: [],
    credited: [],
    voucher: voucher.isNew ? voucher.item : setHolder(voucher.item, giving, context.now),
    getsCard: type === 'LOYALTY_CARD',
    given: { issued: { voucher_id: id, created_at, ...(amount === undefined ? {} : { amount }) } },
  };
}

async function credited(
  context: Reading,
  programme: Programme,
  item: VoucherItem,
  amount: number,
  { occasion, about }: RewardGiving,
): Promise<GivenOfCampaign | Again> {
  const { campaign } = programme;
  const whose = { effects: [], getsCard: false };
  const what = { voucher_id: item.id, created_at: item.created_at, amount };
  if (campaign.campaign_type === 'GIFT_VOUCHERS') {
    const posting = { type: 'CREDITS_ADDITION', points: amount, about } as const;
    const change = { item, campaign, posting };
    return {
      ...whose,
      ...{ voucher: previewPosting(change, occasion), gifts: [change], credited: [], given: { credits: what } },
    };
  }
  const card = { item, programme };
  if (await settleCards(context, [card])) return again;
  const changed = applyPostings(card, occasion, [{ type: 'POINTS_ADDITION', points: amount, about }]);
  const voucher = { ...changed.after, updated_at: occasion.now.toISOString() };
  return { ...whose, voucher, gifts: [], credited: [changed], given: { points: what } };
}

/** Makes a card of the campaign with the balance. */
async function newWith(
  context: Reading,
  programme: Programme,
  amount: number,
  customerId: string,
): Promise<GivenVoucher> {
  const { campaign } = programme;
  if (campaign.campaign_type === 'GIFT_VOUCHERS') {
    return { item: await newGiftItem(context, campaign, customerId, { amount }), isNew: true };
  }
  const { item } = await newCard(context, programme, customerId, amount);
  return { item, isNew: true };
}

/**
 * Gives the customer a code of the campaign, or credits or points on an existing or new card. `again` means that
 * another request was faster: read again. 400 if the campaign has no code left.
 */
export async function giveOfCampaign(
  context: Reading,
  programme: Programme,
  amount: number,
  giving: RewardGiving,
): Promise<GivenOfCampaign | Again> {
  const { campaign } = programme;
  const { id } = giving.customer;
  if (campaign.campaign_type === 'DISCOUNT_COUPONS') {
    return published(context, programme, giving, {
      voucher: await findOrMakeVoucher(context, campaign, id),
      joined: undefined,
    });
  }
  const joined = await findJoined(context, campaign.id, id);
  const { isHolder, item } = chooseCard({ held: await findHeldCards(context, id) }, { campaign }, context.now);
  if (item) return credited(context, programme, item, amount, giving);
  if (isHolder) throw noneUsable(campaign);
  const voucher = await newWith(context, programme, amount, id);
  return published(context, programme, giving, { voucher, joined, amount });
}

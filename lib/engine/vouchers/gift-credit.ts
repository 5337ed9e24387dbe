import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { moveByBalance, noteChange } from '#engine/ledger/codes/voucher-lists.ts';
import type { LedgerEntry } from '#engine/ledger/ledger-entry.ts';
import { newEntry, type Posting, readCredited } from '#engine/ledger/new-entry.ts';
import { recordEntry } from '#engine/ledger/record-entry.ts';
import { defined } from '#kernel/core/defined.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import { insertHeld } from './held-card.ts';
import { buildHeldVoucher } from './new-voucher.ts';
import { giftFigures, type VoucherItem, vouchers } from './voucher.ts';

/** Describes a change of the worth of a gift voucher. */
export interface GiftChange {
  readonly item: VoucherItem;
  readonly campaign: { readonly name: string } | undefined;
  readonly posting: Posting;
}

function applyPosting(
  { item, campaign, posting }: GiftChange,
  occasion: Occasion,
): { entry: LedgerEntry; after: VoucherItem } {
  const { amount, balance = 0 } = giftFigures(item) ?? { amount: 0 };
  const credit = readCredited(posting);
  if (amount + credit > Number.MAX_SAFE_INTEGER) {
    throw new ServiceError('invalid_amount', {
      details: `the gift voucher must not be worth more than ${Number.MAX_SAFE_INTEGER}: send a smaller amount`,
    });
  }
  const changed = { item, campaign: campaign?.name, balance: balance + posting.points, credited: amount + credit };
  const entry = newEntry(changed, occasion, posting);
  const credited = item.gift_credited + credit;
  // A subtraction from the first amount lowers that amount.
  const beyond = Math.min(0, credited);
  return {
    entry,
    after: {
      ...item,
      ...(item.gift && beyond < 0 ? { gift: { ...item.gift, amount: item.gift.amount + beyond } } : {}),
      gift_credited: credited - beyond,
      gift_balance: entry.balance,
      ledger_entries: entry.sequence,
    },
  };
}

/** Returns the voucher after the change. */
export function previewPosting(change: GiftChange, occasion: Occasion): VoucherItem {
  return { ...applyPosting(change, occasion).after, updated_at: occasion.now.toISOString() };
}

function buildEffects(
  projectId: string,
  { before, after, entries }: { before: VoucherItem; after: VoucherItem; entries: readonly LedgerEntry[] },
  occasion: Occasion,
): Effect[] {
  const { id, holder_id } = before;
  const card = vouchers(projectId, id);
  return [
    change(card, (update) => {
      moveByBalance(noteChange(update, projectId, id, occasion.now.toISOString()), projectId, before, after)
        .whenThere()
        .whenStill('active', before.active ?? undefined)
        .whenStill('revision', before.revision)
        .set(['revision'], (before.revision ?? 0) + 1)
        .set(['ledger_entries'], after.ledger_entries)
        .set(['gift_balance'], after.gift_balance)
        .add('gift_credited', after.gift_credited - before.gift_credited);
      return after.gift?.amount === before.gift?.amount ? update : update.set(['gift', 'amount'], after.gift?.amount);
    }),
    ...entries.flatMap((entry) =>
      recordEntry(projectId, holder_id ? { customerId: holder_id, card } : undefined, entry),
    ),
  ];
}

/** Changes the worth of a gift voucher, with an entry in its ledger. The caller has checked that the balance is enough. */
export function postToGift(
  projectId: string,
  { item, campaign }: Pick<GiftChange, 'item' | 'campaign'>,
  occasion: Occasion,
  posting: Posting,
): { entry: LedgerEntry; effects: Effect[] } {
  const { entry, after } = applyPosting({ item, campaign, posting }, occasion);
  return { entry, effects: buildEffects(projectId, { before: item, after, entries: [entry] }, occasion) };
}

/** Changes the worth of several gift vouchers, one after the other. Several changes of one voucher become one write. */
export function postToGifts(projectId: string, changes: readonly GiftChange[], occasion: Occasion): Effect[] {
  const byVoucher = Map.groupBy(changes, ({ item }) => item.id);
  return [...byVoucher.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    let after = first.item;
    const entries = own.map(({ campaign, posting }) => {
      const next = applyPosting({ item: after, campaign, posting }, occasion);
      after = next.after;
      return next.entry;
    });
    return buildEffects(projectId, { before: first.item, after, entries }, occasion);
  });
}

/** Builds the item of a gift voucher of the campaign, worth the amount. */
export async function newGiftItem(
  context: Reading,
  campaign: CampaignTerms,
  holderId: string,
  { amount, except }: { amount: number; except?: ReadonlySet<string> },
): Promise<VoucherItem> {
  const making = { campaign, type: 'GIFT_VOUCHER' as const, holderId, ...defined({ except }) };
  const gift = { amount, effect: campaign.voucher?.gift?.effect };
  return { ...(await buildHeldVoucher(context, making)), gift, gift_balance: amount };
}

/** Makes such a gift voucher for the customer. */
export async function makeGift(
  context: Reading,
  campaign: CampaignTerms,
  holderId: string,
  amount: number,
): Promise<Effect[]> {
  return insertHeld(context.project.id, await newGiftItem(context, campaign, holderId, { amount }));
}

import { campaigns } from '#engine/campaigns/campaign.ts';
import { showRedemptions } from '#engine/checkout/redemptions/present-redemption.ts';
import { redemptionItem } from '#engine/checkout/redemptions/redemption.ts';
import { showBalance } from '#engine/ledger/entry-balance.ts';
import { type LedgerEntry, ledgerEntryItem } from '#engine/ledger/ledger-entry.ts';
import { lotId } from '#engine/ledger/lots.ts';
import { presentTransaction } from '#engine/ledger/transaction.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import type { Showing } from '#kernel/http/context.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { read } from '#kernel/table/read.ts';
import { showBriefCampaign, showHolder, showVoucherOf } from './objects.ts';

type Payload = Readonly<Record<string, unknown>>;

/** Builds the payload of a redemption or a rollback. */
export async function buildRedemptionPayload(context: Showing, item: Attributes): Promise<Payload> {
  const { table, project } = context;
  const stored = parseStored(redemptionItem, item);
  const { related_object_id: id, related_object_type: of, related_object_parent_id: campaignId } = stored;
  const [[shown], found] = await Promise.all([
    showRedemptions(context, [stored], { voucher: 'slim' }),
    read(table, {
      campaign: campaignId ? campaigns(project.id, campaignId) : undefined,
      voucher: of === 'voucher' && id ? vouchers(project.id, id) : undefined,
    }),
  ]);
  if (!shown) throw new Error('a redemption is shown');
  const { customer, order, voucher: slim, promotion_tier, ...own } = shown;
  const holder = await showHolder(context, found.voucher?.holder_id);
  const voucher = found.voucher ? await showVoucherOf(context, found.voucher) : slim;
  return {
    [shown.object]: own,
    ...(customer ? { customer } : {}),
    ...(order ? { order } : {}),
    ...(found.campaign ? { campaign: showBriefCampaign(found.campaign) } : {}),
    ...(voucher ? { voucher } : {}),
    ...(holder ? { holder } : {}),
    ...(promotion_tier ? { promotion_tier } : {}),
    created_at: stored.date,
  };
}

/** Shows the lots that an entry wrote off, in the form in which the list of a card's expirations shows live lots. */
function showExpired({ lapsed = [], voucher_id, campaign_id, created_at }: LedgerEntry, card: VoucherItem | undefined) {
  return lapsed.map((lot) => ({
    id: lotId(voucher_id, lot),
    object: 'loyalty_points_bucket',
    voucher_id,
    campaign_id: campaign_id ?? null,
    bucket: { total_points: lot.points },
    status: 'EXPIRED',
    ...(lot.expires === null ? {} : { expires_at: lot.expires }),
    ...(card ? { created_at: card.created_at } : {}),
    updated_at: created_at,
  }));
}

/** Builds the payload of an entry of a ledger: a transaction, or its effect on the balance. */
export async function buildEntryPayload(context: Showing, item: Attributes, type: string): Promise<Payload> {
  const { table, project } = context;
  const entry = parseStored(ledgerEntryItem, item);
  const found = await read(table, {
    card: vouchers(project.id, entry.voucher_id),
    campaign: entry.campaign_id ? campaigns(project.id, entry.campaign_id) : undefined,
  });
  const holder = await showHolder(context, found.card?.holder_id);
  const { order, redemption, rollback, reward, earning_rule_id, event } = entry.about;
  const isTransaction = type.endsWith('.transaction.created');
  const cause = {
    ...(order ? { order: { ...order, object: 'order' } } : {}),
    ...(redemption ? { redemption: { ...redemption, object: 'redemption' } } : {}),
    ...(rollback ? { rollback: { ...rollback, object: 'redemption_rollback' } } : {}),
    ...(reward ? { reward: { ...reward, object: 'reward' } } : {}),
    ...(earning_rule_id ? { earning_rule: { id: earning_rule_id, object: 'earning_rule' } } : {}),
    ...(event ? { event: { type: event } } : {}),
  };
  return {
    transaction: presentTransaction(entry),
    voucher: found.card
      ? await showVoucherOf(context, found.card)
      : { id: entry.voucher_id, code: entry.code, object: 'voucher' },
    ...(found.campaign ? { campaign: showBriefCampaign(found.campaign) } : {}),
    ...(holder ? { [isTransaction ? 'holder' : 'customer']: holder } : {}),
    balance: showBalance(entry),
    ...(type.endsWith('.points_expired') ? { points: -entry.points, buckets: showExpired(entry, found.card) } : {}),
    ...(isTransaction ? cause : {}),
  };
}

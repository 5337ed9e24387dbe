import { campaigns } from '#engine/campaigns/campaign.ts';
import { showBalance } from '#engine/ledger/entry-balance.ts';
import { type LedgerEntry, ledgerEntryKey } from '#engine/ledger/ledger-entry.ts';
import { pendingData, pendingPointsItem } from '#engine/ledger/pending-points.ts';
import { presentTransaction } from '#engine/ledger/transaction.ts';
import { presentPendingPoints } from '#engine/loyalty/pending-points.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import type { Showing } from '#kernel/http/context.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { read } from '#kernel/table/read.ts';
import type { FoundEvent } from '../events/find-events.ts';
import { showBriefCampaign, showHolder, showVoucherOf } from './objects.ts';

/** The entry of an activation is among the latest of its card, because a single transaction writes both. */
const searched = 100;

async function findActivation(
  { table, project }: Showing,
  card: VoucherItem,
  pendingId: string,
): Promise<LedgerEntry | undefined> {
  const last = card.ledger_entries;
  const numbers = Array.from({ length: Math.min(searched, last) }, (_, index) => last - index);
  const { entries } = await read(table, {
    entries: numbers.map((number) => ledgerEntryKey(project.id, card.id, number)),
  });
  return entries.find((entry) => entry?.about.pending_points_id === pendingId);
}

/** Returns the balances after the change: of the card if it got the points, else of its pending points. */
async function balancesAfter(
  context: Showing,
  card: VoucherItem,
  pending: { readonly id: string; readonly points: number },
  { type, change }: FoundEvent,
) {
  if (type.endsWith('.activated')) {
    const entry = await findActivation(context, card, pending.id);
    return entry ? { balance: showBalance(entry), transaction: presentTransaction(entry) } : {};
  }
  const points = change ?? (type.endsWith('.canceled') ? -pending.points : pending.points);
  const { voucher_pending_points_balance } = pendingData(card, {}, { change: points, total: card.pending_points });
  return { voucher_pending_points_balance };
}

/** Builds the payload of a change of pending points. */
export async function buildPendingPayload(
  context: Showing,
  item: Attributes,
  _type: string,
  event: FoundEvent,
): Promise<Readonly<Record<string, unknown>>> {
  const { table, project, now } = context;
  const pending = parseStored(pendingPointsItem, item);
  const { campaign_id } = pending;
  const { card, campaign } = await read(table, {
    card: vouchers(project.id, pending.voucher_id),
    campaign: campaign_id ? campaigns(project.id, campaign_id) : undefined,
  });
  const holder = await showHolder(context, card?.holder_id);
  return {
    ...(holder ? { customer: holder } : {}),
    ...(campaign ? { campaign: showBriefCampaign(campaign) } : {}),
    voucher: card ? await showVoucherOf(context, card) : { id: pending.voucher_id, object: 'voucher' },
    ...(pending.order ? { order: { ...pending.order, object: 'order' } } : {}),
    pending_points: presentPendingPoints(pending, card, now),
    ...(card ? await balancesAfter(context, card, pending, event) : {}),
  };
}

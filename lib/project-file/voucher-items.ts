import type { Attributes } from '../dynamodb.ts';
import type { Project } from '../projects/project.ts';
import { indexed, keys } from '../table.ts';
import { pointsOf } from '../vouchers/lots.ts';
import type { Lot } from '../vouchers/voucher.ts';
import { voucherId } from '../vouchers/voucher-id.ts';
import type { Entry } from './entries.ts';
import type { ItemWrite } from './item-write.ts';

/** Figures that move by themselves, and dates: only a new voucher takes them from the file. */
const once = [
  'created_at',
  'updated_at',
  'publish_count',
  'redeemed_quantity',
  'redeemed_points',
  'redeemed_amount',
  'gift_balance',
  'credited_points',
  'lots',
  'opening_balance',
  'standing',
  'project_id',
  'dueShard',
  'dueAt',
] as const;

/** Cards whose figures are their holder's too: he is found to hold them. */
const heldTypes: readonly string[] = ['LOYALTY_CARD', 'GIFT_VOUCHER'];

export interface VoucherSurroundings {
  project: Project;
  now: string;
  place: string;
  campaignId: string | undefined;
  categoryId: string | undefined;
  assignments: Attributes[] | undefined;
}

export function voucherItem(entry: Entry<'vouchers'>, around: VoucherSurroundings): ItemWrite {
  const { project, now, place, campaignId, categoryId, assignments } = around;
  const id = voucherId(project, entry.code);
  const { gift, loyalty_card: card, redemption = {}, publish, created_at, updated_at } = entry;
  const optional = (value: unknown) => value ?? undefined;
  const key = keys.voucher(project.id, id);
  const lots = card ? lotsOf(card) : undefined;
  const typeFixed = { type: `${place}.type differs from the stored one, which can't be changed` };
  const holderFixed = { holder_id: `${place}.holder_id differs from the stored one: a card stays its holder's` };
  // What was done to the card is listed and counted by it, for its holder.
  const campaignKept = { campaign_id: `${place}.campaign_id differs from the stored one: a card stays its campaign's` };
  return {
    key,
    item: {
      id,
      code: entry.code,
      type: entry.type,
      campaign_id: campaignId,
      category_id: categoryId,
      discount: optional(entry.discount),
      gift: gift ? { amount: gift.amount, effect: gift.effect } : undefined,
      start_date: optional(entry.start_date),
      expiration_date: optional(entry.expiration_date),
      validity_timeframe: optional(entry.validity_timeframe),
      validity_day_of_week: optional(entry.validity_day_of_week),
      validity_hours: optional(entry.validity_hours),
      active: optional(entry.active),
      additional_info: optional(entry.additional_info),
      metadata: entry.metadata,
      is_referral_code: optional(entry.is_referral_code),
      holder_id: optional(entry.holder_id),
      referrer_id: optional(entry.referrer_id),
      redemption_quantity: optional(redemption.quantity),
      validation_rules_assignments: assignments,
      created_at: created_at ?? now,
      updated_at: optional(updated_at),
      publish_count: publish?.count,
      redeemed_quantity: redemption.redeemed_quantity,
      redeemed_points: redemption.redeemed_points,
      redeemed_amount: redemption.redeemed_amount,
      gift_balance: gift ? (gift.balance ?? gift.amount) : undefined,
      credited_points: card?.points,
      lots,
      ...(lots
        ? {
            opening_balance: pointsOf(lots),
            standing: standingOf(card?.standing),
            project_id: project.id,
            // The first run of the daily job looks at it, and knows from then on when it has to.
            dueShard: indexed.dueShardOf(key),
            dueAt: now.slice(0, 10),
          }
        : {}),
    },
    once,
    fixed: heldTypes.includes(entry.type) ? { ...typeFixed, ...holderFixed } : typeFixed,
    ...(entry.type === 'LOYALTY_CARD' ? { kept: campaignKept } : {}),
  };
}

/** The item by which a holder is found to hold the card; not for vouchers of which he has no figures. */
export function heldCardItem({ id: projectId }: Project, { item }: ItemWrite): ItemWrite | undefined {
  const { id, type, holder_id: holder, campaign_id } = item;
  if (typeof id !== 'string' || typeof holder !== 'string' || !heldTypes.includes(String(type))) return undefined;
  return { key: keys.heldCard(projectId, holder, id), item: { voucher_id: id, campaign_id }, once: ['voucher_id'] };
}

/** `undefined`: the file says nothing of it; `null`: the member is in no tier. */
function standingOf(standing: NonNullable<Entry<'vouchers'>['loyalty_card']>['standing']) {
  return standing && { ...standing, expiration_date: standing.expiration_date ?? null };
}

/** The lots of a card that comes without: what a reply tells of its next expiration, and the rest without one. */
function lotsOf(card: NonNullable<Entry<'vouchers'>['loyalty_card']>): Lot[] {
  if (card.lots) return card.lots;
  const balance = card.balance ?? card.points;
  const expires = card.next_expiration_date ?? null;
  const expiring = expires === null ? 0 : Math.min(card.next_expiration_points ?? 0, balance);
  return [
    { points: expiring, expires },
    { points: balance - expiring, expires: null },
  ].filter(({ points }) => points > 0);
}

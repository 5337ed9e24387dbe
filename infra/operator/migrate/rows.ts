import { isDeepStrictEqual } from 'node:util';
import { activityTypes } from '#engine/ledger/activities/activity.ts';
import { orderPaid } from '#engine/ledger/earning-events.ts';
import { type Lot, sumPoints } from '#engine/ledger/lots.ts';
import { defined } from '#kernel/core/defined.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { type Cells, flag, json, minor, whole } from './csv-rows.ts';
import type { Row } from './pages.ts';

/** Turns lines of exports into entries of a project file. */

const figureOf = { AMOUNT: 'amount_off', FIXED: 'fixed_amount', PERCENT: 'percent_off', UNIT: 'unit_off' } as const;

function discountOf(cells: Cells): Row | undefined {
  const { discount_type: type = '', value, formula, discount_unit_type, discount_effect, discount_unit_effect } = cells;
  const figure = Object.entries(figureOf).find(([name]) => name === type)?.[1];
  if (!figure) return undefined;
  const isMoney = type === 'AMOUNT' || type === 'FIXED';
  return defined({
    type,
    [figure]: value === undefined ? undefined : isMoney ? minor(value) : Number(value),
    [`${figure}_formula`]: formula,
    effect: discount_effect ?? discount_unit_effect,
    amount_limit: minor(cells.discount_amount_limit),
    aggregated_amount_limit: minor(cells.discount_aggregated_amount_limit),
    ...(type === 'UNIT' ? { unit_type: discount_unit_type, units: json(cells.discount_units) } : {}),
  });
}

/** A campaign, as its vouchers need it. */
export interface Campaign {
  readonly id: string;
  readonly name: string;
  /** The name of its category. */
  readonly category: string | undefined;
  readonly row: Row;
}

/** Leaves out fields that equal the campaign's, so that a later change of the campaign shows. */
function withoutInherited(own: Row, campaign: Campaign | undefined): Row {
  const { row = {}, category } = campaign ?? {};
  const given: Row = { ...row, ...(isRecord(row.voucher) ? row.voucher : {}), category };
  return Object.fromEntries(Object.entries(own).filter(([name, value]) => !isDeepStrictEqual(value, given[name])));
}

function cardOf(cells: Cells, lotsOf: readonly Lot[] | undefined): Row {
  const points = whole(cells.value) ?? 0;
  const said = whole(cells.loyalty_balance) ?? points;
  const own = json(cells.loyalty_lots);
  const dated = lotsOf ?? [];
  const left = said - sumPoints(dated);
  const lots = Array.isArray(own) ? own : left > 0 ? [...dated, { points: left, expires: null }] : dated;
  const balance = Array.isArray(own) || left >= 0 ? said : sumPoints(dated);
  const redeemed = whole(cells.redeemed_points);
  return defined({
    points: Math.max(points, balance),
    balance,
    lots,
    expired_points: whole(cells.expired_points) ?? (redeemed === undefined ? undefined : points - balance - redeemed),
  });
}

function worthOf(cells: Cells, lots: readonly Lot[] | undefined): Row {
  if (cells.voucher_type === 'LOYALTY_CARD') return { loyalty_card: cardOf(cells, lots) };
  if (cells.voucher_type !== 'GIFT_VOUCHER') return { discount: discountOf(cells) };
  const amount = minor(cells.value) ?? 0;
  return { gift: defined({ amount, balance: minor(cells.gift_balance), effect: cells.gift_effect }) };
}

function redeemedAmount(cells: Cells): number | undefined {
  if (cells.voucher_type !== 'GIFT_VOUCHER') return undefined;
  return minor(cells.redeemed_amount) ?? Math.max(0, (minor(cells.value) ?? 0) - (minor(cells.gift_balance) ?? 0));
}

/** Returns the publications of a voucher. Their ids stay. */
function idsIn({ publication_ids }: Cells): string[] | undefined {
  const ids = json(publication_ids);
  return Array.isArray(ids) ? ids.map(String) : undefined;
}

export function toVoucher(cells: Cells, campaign: Campaign | undefined, lots: readonly Lot[] | undefined): Row {
  const { code, voucher_type: type, customer_id, additional_info, created_at, updated_at } = cells;
  const { validity_timeframe_interval: interval, validity_timeframe_duration: duration } = cells;
  const { discount, ...worth } = worthOf(cells, lots);
  const published = whole(cells.publish_count);
  return defined({
    ...{ code, type, additional_info, created_at, updated_at, former_id: cells.id },
    ...worth,
    ...withoutInherited(
      defined({
        discount,
        category: cells.category,
        start_date: cells.start_date,
        expiration_date: cells.expiration_date,
        validity_timeframe: interval && duration ? { interval, duration } : undefined,
        validity_day_of_week: json(cells.validity_day_of_week),
        validity_hours: json(cells.validity_hours),
      }),
      campaign,
    ),
    campaign_id: campaign?.id,
    active: flag(cells.active),
    metadata: json(cells.metadata),
    is_referral_code: flag(cells.is_referral_code),
    holder_id: customer_id,
    publish: published === undefined ? undefined : defined({ count: published, publication_ids: idsIn(cells) }),
    redemption: defined({
      quantity: whole(cells.redemption_quantity) ?? null,
      redeemed_quantity: whole(cells.redemption_count),
      redeemed_points: type === 'LOYALTY_CARD' ? whole(cells.redeemed_points) : undefined,
      redeemed_amount: redeemedAmount(cells),
    }),
  });
}

export function toPublication(cells: Cells, campaign: Campaign | undefined, isLatest: boolean): Row {
  const codes = cells.voucher_code?.split(' ') ?? [];
  const { id, source_id, failure_code, failure_message } = cells;
  return defined({
    ...{ id, source_id, failure_code, failure_message },
    created_at: cells.date,
    customer_id: cells.customer_id,
    tracking_id: cells.customer_source_id,
    campaign: cells.campaign,
    campaign_id: campaign?.id,
    vouchers: codes,
    channel: cells.channel,
    result: codes.length > 0 ? 'SUCCESS' : 'FAILURE',
    metadata: json(cells.metadata),
    latest: isLatest || undefined,
  });
}

export function toRedemption(cells: Cells, campaign: Campaign | undefined, isRolledBack: boolean): Row {
  const { id, object, voucher_code, customer_id, date, result, promotion_tier_id, tracking_id, order_id } = cells;
  const { failure_code, failure_message } = cells;
  return defined({
    ...{
      id,
      object,
      voucher_code,
      customer_id,
      date,
      result,
      promotion_tier_id,
      tracking_id,
      failure_code,
      failure_message,
    },
    status: isRolledBack ? 'ROLLED_BACK' : undefined,
    campaign: cells.campaign,
    campaign_id: campaign?.id,
    order: order_id === undefined ? undefined : defined({ id: order_id, amount: minor(cells.order_amount) }),
    gift_credits: minor(cells.gift_amount),
    points: whole(cells.loyalty_points),
    metadata: json(cells.metadata),
  });
}

/** Events of orders have another name in replies than in rules. */
function eventOf({ event, custom_event: custom }: Row): Row {
  const [happened] = [custom, event].filter(isRecord);
  if (!happened) return {};
  const name = happened.type === activityTypes.orderPaid ? orderPaid : happened.type;
  return { event: name, group_id: happened.id ?? undefined };
}

export function toPending(row: Row, code: string): Row {
  const details = isRecord(row.details) ? row.details : {};
  const { earning_rule: rule, segment, loyalty_tier, holder_loyalty_tier, order } = details;
  return defined({
    id: row.id,
    code,
    points: row.points,
    created_at: row.created_at ?? undefined,
    activates_at: row.activates_at ?? undefined,
    earning_rule_id: isRecord(rule) ? rule.id : undefined,
    banner: isRecord(rule) && isRecord(rule.source) ? (rule.source.banner ?? undefined) : undefined,
    ...eventOf(details),
    ...{ segment, loyalty_tier, holder_loyalty_tier, order },
  });
}

/** Returns a holder of a referral code. A referrer holds it by the voucher itself. */
export function toHolder({ id, code, customer_id, campaign_id, voucher_type, created_at, metadata, ...row }: Row): Row {
  const holder_role = row.holder_role === 'REFERRER' ? 'REFERRER' : 'REFEREE';
  return defined({ id, code, customer_id, campaign_id, voucher_type, created_at, metadata, holder_role });
}

import type { Writing } from '../context.ts';
import { notFound, ServiceError } from '../errors.ts';
import { newCard } from '../loyalty/join.ts';
import type { MemberCard } from '../loyalty/programme.ts';
import { settleCards } from '../loyalty/settle.ts';
import { voucherRefusal } from '../validity/usable.ts';
import { findVoucher } from '../vouchers/find-voucher.ts';
import { checkUsable } from '../vouchers/usable.ts';
import type { VoucherItem } from '../vouchers/voucher.ts';
import { earningsOn, type Gain } from './card-earnings.ts';
import type { EarningProgramme, Programmes } from './earning-programmes.ts';
import type { Earned } from './measure.ts';

/** What earns, and for whom. */
export interface Occurrence extends Earned {
  customerId: string;
  /** The loyalty and gift cards that the customer holds, the earliest first. */
  held: readonly VoucherItem[];
}

/** The card that an event names: 404 when it is unknown, 400 when it is no loyalty card or can't be used. */
async function gainOfNamed(context: Writing, programmes: Programmes, earned: Earned, code: string): Promise<Gain> {
  const item = await findVoucher(context, code);
  if (!item) throw notFound('voucher', code);
  if (item.type !== 'LOYALTY_CARD') {
    throw new ServiceError('invalid_payload', {
      details: 'loyalty.code must name a loyalty card',
      resource: { id: code, type: 'voucher' },
    });
  }
  const id = item.campaign_id;
  const programme = id ? (await programmes.get([id])).get(id) : undefined;
  checkUsable(item, programme?.campaign, { now: context.now, place: 'loyalty.code' });
  const card = { item, programme };
  return { card, isNew: false, earnings: earningsOn(card, programme?.rules ?? [], earned, context.now), rewards: [] };
}

/** The customer's card of a campaign that something is given to: the earliest that can be used, if they hold any. */
export function chosenCard(
  { held }: Pick<Occurrence, 'held'>,
  { campaign }: Pick<EarningProgramme, 'campaign'>,
  now: Date,
): { isHolder: boolean; item: VoucherItem | undefined } {
  const own = held.filter(({ campaign_id }) => campaign_id === campaign.id);
  return { isHolder: own.length > 0, item: own.find((item) => !voucherRefusal(item, campaign, now)) };
}

/** The customer's card in the programme; who holds none there joins it, where it lets everybody in. */
async function gainIn(
  context: Writing,
  programme: EarningProgramme,
  occurrence: Occurrence,
): Promise<Gain | undefined> {
  const { now } = context;
  const { campaign, rules } = programme;
  const { isHolder, item } = chosenCard(occurrence, programme, now);
  const joins = !isHolder && campaign.auto_join && !voucherRefusal({ campaign_id: campaign.id }, campaign, now);
  if (!item && !joins) return undefined;
  const card: MemberCard = item ? { item, programme } : await newCard(context, programme, occurrence.customerId);
  const earnings = earningsOn(card, rules, occurrence, now);
  return earnings.length > 0 ? { card, isNew: !item, earnings, rewards: [] } : undefined;
}

/**
 * What its rules give: to the card that an event names alone, else to one card in each programme that rewards it. A programme
 * that can't be used gives nothing.
 */
export async function gainsOf(
  context: Writing,
  programmes: Programmes,
  occurrence: Occurrence,
  code: string | undefined,
): Promise<Gain[]> {
  if (code !== undefined) return [await gainOfNamed(context, programmes, occurrence, code)];
  const rewarding = await programmes.rewarding(occurrence.event);
  const gains = await Promise.all(rewarding.map((programme) => gainIn(context, programme, occurrence)));
  return gains.filter((gain) => gain !== undefined);
}

/** Writes off what has lapsed on cards that are there; `true`: there was something, and all is to be read again. */
export function settleGains(context: Writing, gains: readonly Gain[]): Promise<boolean> {
  return settleCards(
    context,
    gains.filter(({ isNew }) => !isNew).map(({ card }) => card),
  );
}

import { findVoucherRefusal } from '#engine/rules/validity/refusals.ts';
import { checkUsable } from '#engine/vouchers/check-usable.ts';
import { findVoucher } from '#engine/vouchers/find-voucher.ts';
import { unlessUsedUp } from '#engine/vouchers/free-code.ts';
import type { MemberCard } from '#engine/vouchers/member-card.ts';
import type { VoucherItem } from '#engine/vouchers/voucher.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { Reading, Showing } from '#kernel/http/context.ts';
import { commit, type Effect, maxWrites } from '#kernel/table/effects.ts';
import { explainItemSize } from '#kernel/table/item-size.ts';
import type { Table } from '#kernel/table/table.ts';
import { newCard } from '../new-card.ts';
import { settleCards } from '../settle-cards.ts';
import { computeEarnings, type Gain, sumGain } from './card-earnings.ts';
import type { EarningProgramme, Programmes } from './earning-programmes.ts';
import type { EarningRule } from './earning-rule.ts';
import { type EarningOccasion, hasProductMetadata, readFormula } from './measure.ts';
import { completeLines, findWaitingRules, openRules } from './open-rules.ts';

/** The event that earns, and its customer. */
export interface Occurrence extends EarningOccasion {
  customerId: string;
  /** The customer's loyalty and gift cards, the earliest first. */
  held: readonly VoucherItem[];
}

/** Completes the products of lines, if formulas need their metadata. */
async function withProducts(
  context: Reading,
  rules: readonly EarningRule[],
  occurrence: Occurrence,
): Promise<Occurrence> {
  const { order } = occurrence;
  if (!order || !rules.some(({ loyalty }) => hasProductMetadata(readFormula(loyalty)))) return occurrence;
  return { ...occurrence, order: { ...order, items: await completeLines(context, order.items) } };
}

/** The event, and the rules of a programme that match it. */
interface Heard {
  readonly occurrence: Occurrence;
  readonly rulesOf: (campaignId: string | undefined) => readonly EarningRule[];
}

/** Reads the validation rules of all programmes together. */
async function heardBy(
  context: Reading,
  programmes: readonly EarningProgramme[],
  occurrence: Occurrence,
  all: Programmes,
): Promise<Heard> {
  const { now } = context;
  const waiting = programmes.map(({ campaign, rules }) => ({
    id: campaign.id,
    rules: findWaitingRules(rules, campaign, occurrence, now),
  }));
  const rules = waiting.flatMap(({ rules }) => rules);
  if (rules.length === 0) return { occurrence, rulesOf: () => [] };
  const assigned = new Map(programmes.flatMap((one) => [...one.assigned]));
  const open = await openRules(context, rules, occurrence, { assigned, programmes: all });
  const earning = new Map(waiting.map(({ id, rules }) => [id, rules.filter((rule) => open.has(rule.id))]));
  return {
    occurrence: await withProducts(context, rules, occurrence),
    rulesOf: (campaignId) => earning.get(campaignId ?? '') ?? [],
  };
}

/** Finds the card that an event names. 404 if it is unknown, and 400 if it is not a loyalty card or cannot be used. */
async function gainOfNamed(
  context: Showing,
  programmes: Programmes,
  occurrence: Occurrence,
  code: string,
): Promise<Gain> {
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
  const heard = await heardBy(context, programme ? [programme] : [], occurrence, programmes);
  const earnings = computeEarnings(card, heard.rulesOf(programme?.campaign.id), heard.occurrence, context);
  return { card, isNew: false, earnings, rewards: [] };
}

/** Returns the customer's card for a reward of a campaign: the earliest usable card. */
export function chooseCard(
  { held }: Pick<Occurrence, 'held'>,
  { campaign }: Pick<EarningProgramme, 'campaign'>,
  now: Date,
): { isHolder: boolean; item: VoucherItem | undefined } {
  const own = held.filter(({ campaign_id }) => campaign_id === campaign.id);
  return { isHolder: own.length > 0, item: own.find((item) => !findVoucherRefusal(item, campaign, now)) };
}

/** Returns whether the programme can give the customer points: they have a card or join. Its rules are judged only then. */
function isFor(context: Reading, programme: EarningProgramme, occurrence: Pick<Occurrence, 'held'>): boolean {
  const { campaign } = programme;
  const { isHolder, item } = chooseCard(occurrence, programme, context.now);
  return Boolean(item) || joins(campaign, isHolder, context.now);
}

function joins(campaign: EarningProgramme['campaign'], isHolder: boolean, now: Date): boolean {
  return !isHolder && Boolean(campaign.auto_join) && !findVoucherRefusal({ campaign_id: campaign.id }, campaign, now);
}

/** Returns programmes with an active rule for the event that can give the customer points. */
export async function findRewarding(
  context: Reading,
  programmes: Programmes,
  { event, held }: Pick<Occurrence, 'event' | 'held'>,
): Promise<EarningProgramme[]> {
  return (await programmes.rewarding(event)).filter((one) => isFor(context, one, { held }));
}

/** Returns the customer's card in the programme, or a new card if every customer may join the programme. */
async function gainIn(
  context: Reading,
  programme: EarningProgramme,
  { occurrence, rulesOf }: Heard,
): Promise<Gain | undefined> {
  const { now } = context;
  const { campaign } = programme;
  const { isHolder, item } = chooseCard(occurrence, programme, now);
  if (!item && !joins(campaign, isHolder, now)) return undefined;
  const card: MemberCard | undefined = item
    ? { item, programme }
    : await unlessUsedUp(() => newCard(context, programme, occurrence.customerId));
  if (!card) return undefined;
  const earnings = computeEarnings(card, rulesOf(campaign.id), occurrence, context);
  return earnings.length > 0 ? { card, isNew: !item, earnings, rewards: [] } : undefined;
}

/** Returns the gain of the customer's card in the programme, or `undefined` if the event earns nothing. */
export async function computeProgrammeGain(
  context: Reading,
  programmes: Programmes,
  programme: EarningProgramme,
  occurrence: Occurrence,
): Promise<Gain | undefined> {
  return gainIn(context, programme, await heardBy(context, [programme], occurrence, programmes));
}

/** Returns the programme's points, including pending points. 400 `invalid_amount` if they exceed a card. */
export async function sumProgrammePoints(
  context: Reading,
  programmes: Programmes,
  programme: EarningProgramme,
  occurrence: Occurrence,
): Promise<number> {
  const gain = await computeProgrammeGain(context, programmes, programme, occurrence);
  return gain ? sumGain(gain, occurrence) : 0;
}

/** Returns the points for one card of the customer in each programme. A programme that cannot be used gives nothing. */
export async function computeHeldGains(
  context: Reading,
  programmes: Programmes,
  occurrence: Occurrence,
): Promise<Gain[]> {
  const rewarding = await findRewarding(context, programmes, occurrence);
  const heard = await heardBy(context, rewarding, occurrence, programmes);
  const gains = await Promise.all(rewarding.map((programme) => gainIn(context, programme, heard)));
  return gains.filter((gain) => gain !== undefined);
}

/** Returns the points of the customer's cards, or of the one card that the event names. */
export async function computeGains(
  context: Showing,
  programmes: Programmes,
  occurrence: Occurrence,
  code: string | undefined,
): Promise<Gain[]> {
  if (code !== undefined) return [await gainOfNamed(context, programmes, occurrence, code)];
  return computeHeldGains(context, programmes, occurrence);
}

/** Writes off expired points of existing cards first. Returns true if the caller must read again. */
export function settleGains(context: Reading, gains: readonly Gain[]): Promise<boolean> {
  return settleCards(
    context,
    gains.filter(({ isNew }) => !isNew).map(({ card }) => card),
  );
}

/**
 * Commits the effects of an occasion with its points. 400 `invalid_campaign` if they exceed a transaction, and 400 `invalid_payload` if an
 * item gets too large. `by` and `size` name the cause.
 */
export function commitEarnings(
  table: Table,
  effects: readonly Effect[],
  { by, size }: { by: string; size: string },
): Promise<boolean> {
  const tooMany = (items: number) =>
    new ServiceError('invalid_campaign', {
      details: `${by} would change ${items} items in one transaction, which can change ${maxWrites}`,
    });
  return commit(table, effects, tooMany).catch((error: unknown) => {
    throw explainItemSize(error, size);
  });
}

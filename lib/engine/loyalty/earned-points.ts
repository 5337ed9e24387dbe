import { findStanding } from '#engine/ledger/card.ts';
import { orderPaid } from '#engine/ledger/earning-events.ts';
import { findLastGoodDay } from '#engine/ledger/lots.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { Gain } from './earning/card-earnings.ts';
import { computeRulePoints, type EarningRule } from './earning/earning-rule.ts';
import { type EarningOccasion, hasProductMetadata, listMeasuredCollections, readFormula } from './earning/measure.ts';
import { completeLines } from './earning/open-rules.ts';

/** Keeps what an order earned, with the rules of that time, so that a return can take the points back. */

export interface EarnedNote {
  readonly voucher_id: string;
  readonly rule_id: string;
  readonly points: number;
  readonly loyalty: EarningRule['loyalty'];
  /** The change of the rule's points by the member's tier. */
  readonly tier?: Parameters<typeof computeRulePoints>[1];
  /** The last day of the points, `null` for none. Absent if they were pending. */
  readonly expires?: string | null;
  /** The points that returns have asked back, whether or not the card still had them. */
  readonly returned?: number;
}

/** Returns the notes of an order's gains. */
export function noteEarned(gains: readonly Gain[], now: Date): EarnedNote[] {
  const today = formatDay(now);
  return gains.flatMap(({ card, earnings }) => {
    const { standing } = findStanding(card, today);
    const tier = card.programme?.tiers.find(({ id }) => id === standing?.tier_id);
    const ofProgramme = card.programme?.campaign.voucher?.loyalty_card?.expiration_rules;
    return earnings.map(({ rule, points, pendingDays }) => ({
      voucher_id: card.item.id,
      rule_id: rule.id,
      points,
      loyalty: rule.loyalty,
      ...(tier && Object.hasOwn(tier.earning_rules, rule.id) ? { tier: tier.earning_rules[rule.id] } : {}),
      ...(pendingDays > 0 ? {} : { expires: findLastGoodDay(rule.expiration_rules ?? ofProgramme, today) }),
    }));
  });
}

/** Returns the collections that the rules of the notes need. */
export function listNotedCollections(notes: readonly EarnedNote[]): string[] {
  return notes.flatMap(({ loyalty }) => (loyalty.type === 'PROPORTIONAL' ? listMeasuredCollections(loyalty) : []));
}

type Formula = Parameters<typeof hasProductMetadata>[0];

const formulaOf = ({ loyalty }: EarnedNote): Formula => readFormula(loyalty);

/**
 * Returns the points that the order would earn by each rule of that time. The lines have their collections. `at` is the time of the
 * earning.
 */
export async function earnAgain(
  context: Reading,
  notes: readonly EarnedNote[],
  { order, ...of }: Pick<EarningOccasion, 'order' | 'customerMetadata' | 'customerBirthdate'>,
  at: Date,
): Promise<number[]> {
  const isCompleted = order && notes.some((note) => hasProductMetadata(formulaOf(note)));
  const completed = isCompleted ? { ...order, items: await completeLines(context, order.items) } : order;
  const occasion = { event: orderPaid, metadata: {}, ...of, order: completed };
  return notes.map(({ loyalty, tier }) => {
    const points = computeRulePoints({ loyalty }, tier, { ...occasion, decimals: context.project.decimals }, at);
    return Math.min(points, Number.MAX_SAFE_INTEGER);
  });
}

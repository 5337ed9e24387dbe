import type { Programme } from '../campaigns/programme.ts';
import { dayOf } from '../core/calendar.ts';
import type { Project } from '../http/projects/project.ts';
import { lastGoodDay } from '../ledger/points-expiration.ts';
import type { Table } from '../table/table.ts';
import type { MemberCard } from '../vouchers/member-card.ts';
import { newHeldVoucher } from '../vouchers/new-voucher.ts';

/** Makes a card for a new member, with the initial points and given ones, and no tier yet. */
export async function newCard(
  context: { table: Table; project: Project; now: Date },
  programme: Programme,
  holderId: string,
  given = 0,
): Promise<MemberCard> {
  const { campaign } = programme;
  const item = await newHeldVoucher(context, { campaign, type: 'LOYALTY_CARD', holderId });
  const { points: first = 0, expiration_rules } = campaign.voucher?.loyalty_card ?? {};
  const points = first + given;
  const expires = lastGoodDay(expiration_rules, dayOf(context.now));
  const lots = points > 0 ? [{ points, expires }] : [];
  return {
    item: { ...item, lots, credited_points: points, opening_balance: points, expired_points: 0, standing: null },
    programme,
  };
}

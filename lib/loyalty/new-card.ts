import type { Programme } from '../campaigns/programme.ts';
import { formatDay } from '../core/calendar.ts';
import type { Project } from '../http/projects/project.ts';
import { findLastGoodDay } from '../ledger/lots.ts';
import type { Table } from '../table/table.ts';
import type { MemberCard } from '../vouchers/member-card.ts';
import { buildHeldVoucher } from '../vouchers/new-voucher.ts';

/** Makes a card for a new member, with the initial points and given ones, and no tier yet. */
export async function newCard(
  context: { table: Table; project: Project; now: Date },
  programme: Programme,
  holderId: string,
  given = 0,
): Promise<MemberCard> {
  const { campaign } = programme;
  const item = await buildHeldVoucher(context, { campaign, type: 'LOYALTY_CARD', holderId });
  const { points: first = 0, expiration_rules } = campaign.voucher?.loyalty_card ?? {};
  const points = first + given;
  const expires = findLastGoodDay(expiration_rules, formatDay(context.now));
  const lots = points > 0 ? [{ points, expires }] : [];
  return {
    item: { ...item, lots, credited_points: points, opening_balance: points, expired_points: 0, standing: null },
    programme,
  };
}

import type { Programme } from '#engine/campaigns/programme.ts';
import { findLastGoodDay } from '#engine/ledger/lots.ts';
import type { MemberCard } from '#engine/vouchers/member-card.ts';
import { buildHeldVoucher } from '#engine/vouchers/new-voucher.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import type { Table } from '#kernel/table/table.ts';

/** Makes a card for a new member, with the initial points and the given points, and no tier yet. */
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

import { findProgrammes } from '#engine/campaigns/programme.ts';
import { findHeldCards } from '#engine/customers/find-customer.ts';
import { readOccasion } from '#engine/ledger/activities/activity.ts';
import { applyPostings, computeBalance } from '#engine/ledger/card.ts';
import { cardEffects } from '#engine/ledger/card-effects.ts';
import { findLiveLots } from '#engine/ledger/lots.ts';
import { nextEntryId, type Posting } from '#engine/ledger/new-entry.ts';
import { settleCards } from '#engine/loyalty/settle-cards.ts';
import { type VoucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { type Again, again } from '#kernel/table/conflicts.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import { commitMove, type Moving } from './moving.ts';

/** Moves the points of a merged customer's card to the target's card of the same programme, through both ledgers. */

/** One transaction moves points of at most this many days of expiration. Each is an entry of the target's card. */
const lotsAtOnce = 40;

/** Returns the target's card of the card's programme, if customers join it once. A card with pending points keeps its holder. */
export async function findTwin({ context, to }: Moving, card: VoucherItem): Promise<VoucherItem | undefined> {
  const { campaign_id, type, pending_points } = card;
  if (type !== 'LOYALTY_CARD' || !campaign_id || pending_points > 0) return undefined;
  const programme = (await findProgrammes(context, [campaign_id])).get(campaign_id);
  if (!programme?.campaign.join_once) return undefined;
  const held = await findHeldCards(context, to);
  return held.find((one) => one.type === 'LOYALTY_CARD' && one.campaign_id === campaign_id);
}

/**
 * Moves the points, and retires the emptied card. Returns `again` until nothing is left, because points of many days
 * need several transactions.
 */
export async function movePoints(
  moving: Moving,
  { card, twin, removal }: { card: VoucherItem; twin: VoucherItem; removal: Effect },
): Promise<true | Again> {
  const { context, from, to } = moving;
  const { project, now } = context;
  const programmes = await findProgrammes(context, [card.campaign_id]);
  const programme = programmes.get(card.campaign_id ?? '');
  const [payer, target] = [card, twin].map((item) => ({ item, programme }));
  if (!payer || !target) return again;
  if (await settleCards(context, [payer, target])) return again;
  const today = formatDay(now);
  const lots = findLiveLots(card.lots, today).slice(0, lotsAtOnce);
  const points = lots.reduce((sum, lot) => sum + lot.points, 0);
  const isLast = points === computeBalance(today, card);
  const release = change(vouchers(project.id, card.id), (update) =>
    update.whenStill('holder_id', from).remove(['holder_id']).set(['active'], false).set(['was_redeemed'], true),
  );
  if (points === 0) {
    const unchanged = change(vouchers(project.id, card.id), (update) =>
      update.whenThere().whenStill('revision', card.revision).add('revision', 1),
    );
    return commitMove(moving, [unchanged, release, removal]);
  }
  const occasion = readOccasion({ now });
  const reason = `customer ${from} was merged into ${to}`;
  const name = programme?.campaign.name;
  const named = ({ id, code, campaign_id }: VoucherItem) => ({
    id,
    code,
    ...(name === undefined ? {} : { campaign: name }),
    campaign_id: campaign_id ?? null,
  });
  const outId = nextEntryId(card, now);
  const out: Posting = { id: outId, type: 'POINTS_TRANSFER_OUT', points: -points, reason, about: { to: named(twin) } };
  const given = applyPostings(payer, occasion, [out]);
  const taken = applyPostings(
    target,
    occasion,
    lots.map(({ points: some, expires }): Posting => {
      const about = { from: [{ ...named(card), points: some, source_id: from, reason }] };
      // They expire as before.
      return { type: 'POINTS_TRANSFER_IN', points: some, expires, reason, about, related_id: outId };
    }),
  );
  // The former holder is a tombstone, so the entry of the emptied card is placed in the lists of the target.
  const ofPayer = cardEffects(project.id, { ...given, before: { ...given.before, holder_id: undefined } }, now, to);
  const ofTarget = cardEffects(project.id, taken, now);
  const done = await commitMove(moving, [
    ...ofPayer.effects,
    ...ofTarget.effects,
    ...(isLast ? [release, removal] : []),
  ]);
  return done === true && isLast ? true : again;
}

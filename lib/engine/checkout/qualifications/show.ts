import { sumLocks } from '#engine/holds/locks.ts';
import { computeBalance } from '#engine/ledger/card.ts';
import type { Bundles } from '#engine/rules/bundle.ts';
import type { Categories } from '#engine/rules/categories/resource.ts';
import { giftFigures } from '#engine/vouchers/voucher.ts';
import { formatDay } from '#kernel/core/calendar.ts';
import { wrapList } from '#kernel/core/schema.ts';
import { showDiscount } from '../engine/credit.ts';
import { copyBundle, copyScope, type JudgedCheckout, showOrderOfRedeemable } from '../request/show-redeemable.ts';
import { findTargetCategory } from '../request/targets.ts';
import type { Candidate } from './candidate.ts';
import type { Qualified } from './evaluate.ts';
import type { QualifyingRedeemable } from './qualification.ts';
import type { ReplyExtras } from './reply-extras.ts';

/** Shows a qualifying redeemable in a reply. */

export interface QualificationShowing extends JudgedCheckout {
  readonly expand: ReadonlySet<string>;
  readonly categories: Categories;
  readonly session: string | undefined;
  readonly now: Date;
  readonly beside: ReplyExtras;
  /** True if the request has an empty order. It counts as missing, but replies show an order. */
  readonly isOrderEmpty: boolean;
}

type Result = QualifyingRedeemable['result'];

/** Shows the redeemable itself, if nothing was evaluated. */
function definition({ redeemable }: Qualified): Result {
  if (!redeemable) return {};
  const { benefit, scope } = redeemable;
  if (benefit.kind === 'discount') return { discount: { ...showDiscount(benefit.discount, scope) } };
  return benefit.kind === 'gift' ? { gift: { balance: benefit.gift.balance, credits: 0 } } : {};
}

/** Shows a card's balance besides its use. */
function ofCard({ candidate }: Qualified, result: Result, { session, now, beside }: QualificationShowing): Result {
  const { target, campaign } = candidate;
  const { voucher, stored } = target;
  const endedAround = campaign?.sessions_ended ?? 0;
  if (voucher?.type === 'LOYALTY_CARD') {
    const { points: locked = 0 } = sumLocks(stored, { except: session, now, endedAround });
    const balance = Math.max(0, computeBalance(formatDay(now), voucher) - locked);
    const worth = beside.coins.get(campaign?.id ?? '');
    return { ...result, loyalty_card: { points: voucher.credited_points ?? 0, balance, ...worth } };
  }
  if (voucher?.type !== 'GIFT_VOUCHER') return result;
  const { credits: locked = 0 } = sumLocks(stored, { now, endedAround });
  const gift = result.gift ?? { balance: giftFigures(voucher)?.balance ?? 0, credits: 0 };
  return { ...result, gift: { ...gift, ...(locked > 0 ? { locked_credits: locked } : {}) } };
}

function resultOf(one: Qualified, showing: QualificationShowing): Result {
  const { outcome, bundle: short } = one;
  if (!outcome) return ofCard(one, { ...definition(one), ...bundled(short) }, showing);
  const { discount, gift } = outcome.result;
  const own = { ...(discount ? { discount: { ...discount } } : {}), ...(gift ? { gift } : {}) };
  return ofCard(one, { ...own, ...bundled(outcome.result.bundle) }, showing);
}

function bundled(bundle: Bundles | undefined): Pick<Result, 'bundle'> {
  return bundle ? { bundle: copyBundle(bundle) } : {};
}

type Status = 'VALID' | 'PARTIALLY_VALID' | 'INVALID';

function assignmentsOf({ candidate: { target, campaign }, rules, bundle }: Qualified) {
  const own = (target.tier ?? target.voucher)?.validation_rules_assignments ?? [];
  const all = [...own, ...(campaign?.validation_rules_assignments ?? [])];
  return all.flatMap((assignment) => {
    const rule = rules.find(({ id }) => id === assignment.rule_id);
    if (!rule) return [];
    const isShort = bundle !== undefined && rule.bundles !== undefined;
    const status: Status = isShort ? 'INVALID' : rule.omitted.length > 0 ? 'PARTIALLY_VALID' : 'VALID';
    return [{ ...assignment, validation_status: status, validation_omitted_rules: [...rule.omitted] }];
  });
}

function nameOf({ object, target: { tier }, campaign, stack }: Candidate): { name?: string } {
  const name = (tier ?? stack)?.name ?? (object === 'campaign' ? campaign?.name : undefined);
  return name === undefined ? {} : { name };
}

function metadataOf({ object, id, target: { tier, voucher } }: Candidate, { metadata }: ReplyExtras) {
  return (object === 'campaign' ? metadata.get(id) : (tier ?? voucher)?.metadata) ?? {};
}

function expanded(one: Qualified, { expand, categories, beside }: QualificationShowing) {
  const { candidate, rules } = one;
  const { target, campaign } = candidate;
  const { tier } = target;
  const category = findTargetCategory(target, campaign, categories);
  const [rule] = rules;
  const assignments = expand.has('validation_rules') ? assignmentsOf(one) : [];
  return {
    ...(rule ? { validation_rule_id: rule.id } : {}),
    ...(expand.has('redeemable')
      ? {
          metadata: metadataOf(candidate, beside),
          ...(campaign ? { campaign_id: campaign.id, campaign_name: campaign.name } : {}),
          ...nameOf(candidate),
          ...(tier?.banner === undefined ? {} : { banner: tier.banner }),
        }
      : {}),
    ...(expand.has('category') ? { categories: category ? [category] : [] } : {}),
    ...(assignments.length > 0 ? { validation_rules_assignments: wrapList(assignments) } : {}),
  };
}

function orderOf({ order }: Qualified, showing: QualificationShowing) {
  if (showing.isOrderEmpty) return { order: showOrderOfRedeemable({}, showing) };
  return order && showing.order ? { order: showOrderOfRedeemable(order, showing) } : {};
}

function shown(one: Qualified, showing: QualificationShowing) {
  const { candidate, outcome } = one;
  const { id, created_at } = candidate;
  const applied = {
    ...orderOf(one, showing),
    ...(outcome
      ? {
          applicable_to: copyScope(outcome.applicable_to),
          inapplicable_to: copyScope(outcome.inapplicable_to),
        }
      : {}),
  };
  return { id, created_at, ...applied, result: resultOf(one, showing), ...expanded(one, showing) };
}

export function showQualified(one: Qualified, showing: QualificationShowing): QualifyingRedeemable {
  const { candidate, members } = one;
  return {
    ...shown(one, showing),
    object: candidate.object,
    ...(members
      ? { redeemables: members.map((member) => ({ ...shown(member, showing), object: 'promotion_tier' })) }
      : {}),
  };
}

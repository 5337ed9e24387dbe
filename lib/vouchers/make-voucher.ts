import { campaigns, maxVouchersOfCampaign } from '../campaigns/campaign.ts';
import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import { countOf } from '../campaigns/counters.ts';
import { contentOf, dueAsNew } from '../campaigns/voucher-content.ts';
import { apart } from '../core/calendar.ts';
import { notFound, ServiceError } from '../core/errors.ts';
import type { Reading } from '../http/context.ts';
import { voucherId } from '../ledger/codes/voucher-id.ts';
import { voucherPlaces } from '../ledger/codes/voucher-lists.ts';
import { assigned, newAssignment } from '../rules/assignment.ts';
import { change, type Effect, insert, type Refusal } from '../table/effects.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import { checkNewVoucher } from './new-voucher-faults.ts';
import { type VoucherItem, voucherItem, vouchers } from './voucher.ts';
import type { NewVoucher } from './voucher-body.ts';

function assignmentsOf(rules: readonly string[], id: string, now: Date): VoucherItem['validation_rules_assignments'] {
  return rules.map((rule_id) => newAssignment(rule_id, { type: 'voucher', id }, now));
}

/** The item of a new voucher, which nobody holds. */
function itemOf({ project, now }: Pick<Reading, 'project' | 'now'>, made: NewVoucher, campaign?: CampaignTerms) {
  const id = voucherId(project, made.code);
  const given = campaign?.voucher;
  return parseStored(voucherItem, {
    id,
    code: made.code,
    type: made.type,
    campaign_id: campaign?.id,
    category_id: made.category_id,
    discount: made.discount ?? undefined,
    start_date: made.start_date ?? undefined,
    expiration_date: made.expiration_date ?? undefined,
    validity_timeframe: made.validity_timeframe ?? undefined,
    validity_day_of_week: made.validity_day_of_week ?? undefined,
    validity_hours: made.validity_hours ?? undefined,
    active: made.active ?? true,
    additional_info: made.additional_info ?? undefined,
    metadata: made.metadata ?? {},
    is_referral_code: given?.is_referral_code ?? false,
    redemption_quantity:
      made.redemption?.quantity === undefined ? given?.redemption?.quantity : made.redemption.quantity,
    validation_rules_assignments: assignmentsOf(made.validation_rules ?? [], id, now),
    created_at: now.toISOString(),
    ...contentOf(made, campaign?.voucher, now),
  });
}

/** Of a code that is taken; that of a voucher in the bin, by itself or with its campaign, is taken too, until the entry is deleted. */
function taken(code: string): Refusal {
  return (stored) =>
    new ServiceError('duplicate_found', { details: takenBy(stored), resource: { id: code, type: 'voucher' } });
}

function takenBy(stored: Attributes | undefined): string {
  if (stored?.bin_entry !== undefined) {
    return `code is that of a voucher in the bin; it is free when the entry ${stored.bin_entry} is deleted there`;
  }
  if (stored?.deleted_at === undefined) return 'code must be that of no other voucher of the project';
  const soon = 'code is that of a voucher that is being deleted; it is free in a moment';
  const { campaign_id } = stored;
  return campaign_id ? `${soon}, or with the entry of ${campaign_id} where that is in the bin` : soon;
}

/** What new vouchers count for their campaign. */
function createdCounts(items: readonly VoucherItem[]) {
  const sum = (of: (item: VoucherItem) => number | undefined) => items.reduce((all, one) => all + (of(one) ?? 0), 0);
  return {
    vouchers_created: items.length,
    created_vouchers_amount: sum(({ gift }) => gift?.amount),
    created_vouchers_points: sum(({ credited_points }) => credited_points),
  };
}

/** So many more of the campaign's vouchers, unless it is gone or would have more than it may have. */
function counted(projectId: string, { id, type }: CampaignTerms, vouchers: number): Effect {
  const most = type === 'STANDALONE' ? 1 : maxVouchersOfCampaign;
  const tooMany = new ServiceError('invalid_campaign', {
    details: `a campaign of type ${type} has at most ${most} vouchers`,
    resource: { id, type: 'campaign' },
  });
  if (vouchers > most) throw tooMany;
  return change(
    campaigns(projectId, id),
    (update) =>
      update
        .whenThere()
        .whenBelow('vouchers_count', most - vouchers + 1)
        .add('vouchers_count', vouchers),
    (stored) => (stored && stored.deleted_at === undefined ? tooMany : notFound('campaign', id)),
  );
}

interface Made {
  item: VoucherItem;
  effects: Effect[];
}

function inserted(
  context: Pick<Reading, 'project' | 'now'>,
  made: NewVoucher,
  campaign: CampaignTerms | undefined,
): Made {
  const { project, now } = context;
  checkNewVoucher(made, campaign);
  const asMade = itemOf(context, made, campaign);
  const item = made.asItStands?.(asMade) ?? asMade;
  const key = vouchers(project.id, item.id);
  const stored = {
    ...item,
    ...voucherPlaces(project.id, item),
    ...dueAsNew(key, item.type, now),
  };
  return {
    item,
    effects: [insert(key, stored, taken(item.code)), ...assigned(project.id, item.validation_rules_assignments)],
  };
}

/** New vouchers in their campaign's figures. */
function counts(
  { project, now }: Pick<Reading, 'project' | 'now'>,
  campaign: CampaignTerms | undefined,
  items: readonly VoucherItem[],
): Effect[] {
  if (!campaign || items.length === 0) return [];
  return [counted(project.id, campaign, items.length), ...countOf(project.id, campaign.id, now, createdCounts(items))];
}

/**
 * A new voucher and the effects that insert it: its campaign counts it. 400 where it does not go with the campaign; the
 * transaction answers 409 for a code that is taken.
 */
export function makeVoucher(
  context: Pick<Reading, 'project' | 'now'>,
  made: NewVoucher,
  campaign: CampaignTerms | undefined,
): Made {
  const { item, effects } = inserted(context, made, campaign);
  return { item, effects: [...effects, ...counts(context, campaign, [item])] };
}

/** Several of one campaign, or of none, whose codes differ: the campaign counts them together. */
export function makeVouchers(
  context: Pick<Reading, 'project' | 'now'>,
  all: readonly NewVoucher[],
  campaign: CampaignTerms | undefined,
): { items: VoucherItem[]; effects: Effect[] } {
  const made = all.map((one, index) => inserted({ ...context, now: apart(context.now, index) }, one, campaign));
  const items = made.map(({ item }) => item);
  return { items, effects: [...made.flatMap(({ effects }) => effects), ...counts(context, campaign, items)] };
}

import { campaigns, maxVouchersOfCampaign } from '#engine/campaigns/campaign.ts';
import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { countEvents } from '#engine/campaigns/counters.ts';
import { makeDue, openContent } from '#engine/campaigns/voucher-content.ts';
import { listCodeIds, placeVoucher, voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import { insertRuleAssignments, newAssignment } from '#engine/rules/assignment.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { staggerTime } from '#kernel/core/calendar.ts';
import { findCodeFault } from '#kernel/core/canonical-code.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { checkBySchema } from '#kernel/core/metadata/check.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, check, type Effect, type ExplainRefusal, insert } from '#kernel/table/effects.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { voucherSchema } from './change-metadata.ts';
import { checkNewVoucher } from './new-voucher.ts';
import { type VoucherItem, voucherItem, vouchers } from './voucher.ts';
import type { NewVoucher } from './voucher-body.ts';

/** Builds the item of a new voucher without a holder. */
function buildItem({ project, now }: Pick<Reading, 'project' | 'now'>, made: NewVoucher, campaign?: CampaignTerms) {
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
    validation_rules_assignments: (made.validation_rules ?? []).map((rule_id) =>
      newAssignment(rule_id, { type: 'voucher', id }, now),
    ),
    created_at: now.toISOString(),
    ...openContent(made, campaign?.voucher, now),
  });
}

/**
 * Refuses a code that is in use. A voucher in the bin, by itself or with its campaign, keeps its code until the bin's
 * entry is deleted.
 */
function refuseTaken(code: string): ExplainRefusal {
  return (stored) =>
    new ServiceError('duplicate_found', { details: explainTaken(stored), resource: { id: code, type: 'voucher' } });
}

function explainTaken(stored: Attributes | undefined): string {
  if (stored?.bin_entry !== undefined) {
    return `a voucher in the bin has this code: send another code, or delete the entry ${stored.bin_entry} of the bin`;
  }
  if (stored?.deleted_at === undefined) return 'another voucher of the project has this code: send another code';
  const soon = 'a voucher that is being deleted has this code: try again in a moment';
  const { campaign_id } = stored;
  return campaign_id ? `${soon}, or delete the entry of ${campaign_id} if it is in the bin` : soon;
}

/** Requires that no voucher from before has exactly this code under another id. */
function requireNoEarlier(project: Project, { code, id }: VoucherItem): Effect[] {
  const others = listCodeIds(project, code).filter((other) => other !== id);
  return others.map((other) =>
    check(vouchers(project.id, other), (update) => update.whenStill('id', undefined), refuseTaken(code)),
  );
}

/** Returns the figures that new vouchers add to their campaign. */
function sumCreated(items: readonly VoucherItem[]) {
  const sum = (of: (item: VoucherItem) => number | undefined) => items.reduce((all, one) => all + (of(one) ?? 0), 0);
  return {
    vouchers_created: items.length,
    created_vouchers_amount: sum(({ gift }) => gift?.amount),
    created_vouchers_points: sum(({ credited_points }) => credited_points),
  };
}

/** Counts more vouchers for the campaign, unless it is deleted or would exceed its limit. */
function countVouchers(projectId: string, { id, type }: CampaignTerms, vouchers: number): Effect {
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

function buildInsertion(
  context: Pick<Reading, 'project' | 'now'>,
  made: NewVoucher,
  campaign: CampaignTerms | undefined,
): Made {
  const { project, now } = context;
  checkNewVoucher(made, campaign);
  if (made.metadata !== undefined || !made.isOfNoCaller)
    checkBySchema(voucherSchema(project, campaign), made.metadata ?? {}, { place: 'metadata' });
  const asMade = buildItem(context, made, campaign);
  const item = made.asItStands?.(asMade) ?? asMade;
  const fault = findCodeFault(item.code);
  if (fault !== undefined) throw new ServiceError('invalid_payload', { details: `code ${fault}` });
  const key = vouchers(project.id, item.id);
  const stored = {
    ...item,
    ...placeVoucher(project.id, item),
    ...makeDue(key, item.type, now),
  };
  return {
    item,
    effects: [
      insert(key, stored, refuseTaken(item.code)),
      ...requireNoEarlier(project, item),
      ...insertRuleAssignments(project.id, item.validation_rules_assignments),
    ],
  };
}

/** Counts new vouchers in the figures of their campaign. */
function countForCampaign(
  { project, now }: Pick<Reading, 'project' | 'now'>,
  campaign: CampaignTerms | undefined,
  items: readonly VoucherItem[],
): Effect[] {
  if (!campaign || items.length === 0) return [];
  return [
    countVouchers(project.id, campaign, items.length),
    ...countEvents(project.id, campaign.id, now, sumCreated(items)),
  ];
}

/**
 * Returns a new voucher with its effects. Answers 400 if it does not fit the campaign. The transaction answers 409 for
 * a code that is in use.
 */
export function makeVoucher(
  context: Pick<Reading, 'project' | 'now'>,
  made: NewVoucher,
  campaign: CampaignTerms | undefined,
): Made {
  const { item, effects } = buildInsertion(context, made, campaign);
  return { item, effects: [...effects, ...countForCampaign(context, campaign, [item])] };
}

/**
 * Makes several vouchers with different codes, of the same campaign or without a campaign. The campaign counts them
 * together.
 */
export function makeVouchers(
  context: Pick<Reading, 'project' | 'now'>,
  all: readonly NewVoucher[],
  campaign: CampaignTerms | undefined,
): { items: VoucherItem[]; effects: Effect[] } {
  const made = all.map((one, index) =>
    buildInsertion({ ...context, now: staggerTime(context.now, index) }, one, campaign),
  );
  const items = made.map(({ item }) => item);
  return { items, effects: [...made.flatMap(({ effects }) => effects), ...countForCampaign(context, campaign, items)] };
}

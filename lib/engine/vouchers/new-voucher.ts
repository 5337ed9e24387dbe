import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { findVoucherType } from '#engine/campaigns/kinds.ts';
import { voucherId } from '#engine/ledger/codes/voucher-lists.ts';
import { type Dates, findUpdateDateFaults } from '#engine/rules/validity/dates.ts';
import { layerValidity } from '#engine/rules/validity/validity.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { addSpan, parseDuration } from '#kernel/core/calendar.ts';
import { joinFaults, ServiceError } from '#kernel/core/errors.ts';
import { parseStored } from '#kernel/table/item.ts';
import type { Table } from '#kernel/table/table.ts';
import { drawCode } from './free-code.ts';
import { type VoucherItem, voucherItem } from './voucher.ts';
import type { NewVoucher } from './voucher-body.ts';

interface Making {
  campaign: CampaignTerms;
  type: VoucherItem['type'];
  holderId: string;
  /** Excludes codes of other vouchers that the same transaction makes. */
  except?: ReadonlySet<string>;
}

/**
 * Returns the end of a voucher that is published now, if its campaign sets it. It may be after the campaign's own end.
 */
export function findPublishedEnd(campaign: CampaignTerms | undefined, now: Date): string | undefined {
  const life = campaign?.activity_duration_after_publishing;
  return life === undefined ? undefined : addSpan(now, parseDuration(life)).toISOString();
}

/** Builds a voucher of the campaign that belongs to a customer from the start. The caller inserts it. */
export async function buildHeldVoucher(
  context: { table: Table; project: Project; now: Date },
  { campaign, type, holderId, except }: Making,
): Promise<VoucherItem> {
  const { project, now } = context;
  const code = await drawCode(context, campaign.voucher?.code_config, { except });
  return parseStored(voucherItem, {
    id: voucherId(project, code),
    code,
    type,
    campaign_id: campaign.id,
    active: true,
    holder_id: holderId,
    redemption_quantity: campaign.voucher?.redemption?.quantity,
    publish_count: 1,
    created_at: now.toISOString(),
    expiration_date: findPublishedEnd(campaign, now),
  });
}

/** Holds the sent fields that decide the type of a voucher. */
interface Sent extends Pick<NewVoucher, 'gift' | 'loyalty_card'> {
  type?: VoucherItem['type'] | null | undefined;
}

/** Returns the sent type, or else the type of the campaign's vouchers, or else the type of the sent content. */
export function chooseType(
  { type, gift, loyalty_card }: Sent,
  campaign: CampaignTerms | undefined,
): VoucherItem['type'] {
  const holds = gift ? 'GIFT_VOUCHER' : loyalty_card ? 'LOYALTY_CARD' : 'DISCOUNT_VOUCHER';
  return type ?? (campaign && findVoucherType(campaign)) ?? holds;
}

function refuse(key: 'invalid_payload' | 'invalid_voucher' | 'invalid_campaign', faults: readonly string[]): void {
  if (faults.length > 0) throw new ServiceError(key, { details: joinFaults(faults) });
}

/** Names the field that holds the content of each type. */
const contents = { DISCOUNT_VOUCHER: 'discount', GIFT_VOUCHER: 'gift', LOYALTY_CARD: 'loyalty_card' } as const;

/** Yields faults of the content. A voucher must have the content of its type, unless its campaign has it. */
function* contentFaults(made: NewVoucher, campaign: CampaignTerms | undefined) {
  const { type, discount, gift } = made;
  for (const field of Object.values(contents)) {
    if (field !== contents[type] && made[field]) yield `${field} must be left out, because the type is ${type}`;
  }
  if (type === 'DISCOUNT_VOUCHER' && !discount && !campaign) {
    yield 'discount is required, because the voucher has no campaign with a discount';
  }
  if (type === 'GIFT_VOUCHER' && gift?.amount === undefined && campaign?.voucher?.gift === undefined) {
    yield 'gift.amount is required, because no campaign sets it';
  }
}

/** Returns the dates that apply if the voucher has no dates. */
function inheritedDates(campaign: CampaignTerms | undefined) {
  const layers = layerValidity({}, campaign);
  return {
    start_date: layers.map(({ start_date }) => start_date).find(Boolean),
    expiration_date: layers.map(({ expiration_date }) => expiration_date).find(Boolean),
  };
}

/** Answers 400 for a voucher that does not fit its campaign, or that needs a campaign. */
export function checkNewVoucher(made: NewVoucher, campaign: CampaignTerms | undefined): void {
  const { type } = made;
  const ofCampaign = campaign && findVoucherType(campaign);
  if (campaign && !ofCampaign) refuse('invalid_campaign', ['a PROMOTION campaign has no vouchers']);
  if (ofCampaign && type !== ofCampaign) {
    refuse('invalid_voucher', [`type must be ${ofCampaign}, the type of the campaign's vouchers`]);
  }
  if (type === 'LOYALTY_CARD' && !campaign) {
    refuse('invalid_voucher', ['campaign is required, because a LOYALTY_CARD belongs to a loyalty programme']);
  }
  refuse('invalid_payload', [...contentFaults(made, campaign), ...findOwnDateFaults(made, campaign)]);
}

/** Returns faults of a voucher's dates, together with the dates that it inherits. */
export function findOwnDateFaults(dates: Dates, campaign: CampaignTerms | undefined): string[] {
  const own = {
    start_date: dates.start_date ?? undefined,
    expiration_date: dates.expiration_date ?? undefined,
    validity_timeframe: dates.validity_timeframe ?? undefined,
  };
  return findUpdateDateFaults(campaign ? 'campaign' : 'voucher', inheritedDates(campaign), own);
}

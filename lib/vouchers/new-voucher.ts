import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import { addSpan, parseDuration } from '../core/calendar.ts';
import type { Project } from '../http/projects/project.ts';
import { voucherId } from '../ledger/codes/voucher-lists.ts';
import { parseStored } from '../table/item.ts';
import type { Table } from '../table/table.ts';
import { drawFreeCode } from './free-code.ts';
import { type VoucherItem, voucherItem } from './voucher.ts';

interface Making {
  campaign: CampaignTerms;
  type: VoucherItem['type'];
  holderId: string;
  /** Excludes codes of other vouchers that the same transaction makes. */
  except?: ReadonlySet<string>;
}

/** Returns the end of a voucher that is published now, if its campaign sets one. It may be after the campaign's own end. */
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
  const code = await drawFreeCode(context, campaign.voucher?.code_config, except);
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

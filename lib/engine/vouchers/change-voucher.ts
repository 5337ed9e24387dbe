import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { setCategory } from '#engine/campaigns/find-campaign.ts';
import { noteChange } from '#engine/ledger/codes/voucher-lists.ts';
import type { Categories } from '#engine/rules/categories/resource.ts';
import { dateNames, hourNames, mergeDates } from '#engine/rules/validity/dates.ts';
import { joinFaults, ServiceError } from '#kernel/core/errors.ts';
import type { Reading } from '#kernel/http/context.ts';
import { change, type Effect } from '#kernel/table/effects.ts';
import { mergeVoucherMetadata, moveSwitched, voucherSchema } from './change-metadata.ts';
import { findOwnDateFaults } from './new-voucher.ts';
import { type VoucherItem, vouchers } from './voucher.ts';
import type { UpdateVoucherBody } from './voucher-body.ts';

/** `null` clears these fields, so that the voucher inherits them from its campaign. */
const clearable = [...dateNames, ...hourNames, 'active', 'additional_info', 'discount'] as const;

function refuse(key: 'invalid_payload' | 'invalid_voucher', faults: readonly string[], { code }: VoucherItem): void {
  const resource = { id: code, type: 'voucher' };
  if (faults.length > 0) throw new ServiceError(key, { details: joinFaults(faults), resource });
}

function* contentFaults(item: VoucherItem, campaign: CampaignTerms | undefined, body: UpdateVoucherBody) {
  const { type } = item;
  const known = item.discount ?? campaign?.voucher?.discount;
  if (body.discount && type !== 'DISCOUNT_VOUCHER') yield `discount must not be sent to a ${type}`;
  else if (body.discount && known && body.discount.type !== known.type) {
    yield `discount.type must be ${known.type}: the type of a discount does not change`;
  }
  if (body.gift && type !== 'GIFT_VOUCHER') yield `gift must not be sent to a ${type}`;
  if (body.loyalty_card && type !== 'LOYALTY_CARD') yield `loyalty_card must not be sent to a ${type}`;
}

/** Refuses a change that contradicts the voucher or its campaign. */
export function checkChange(item: VoucherItem, campaign: CampaignTerms | undefined, body: UpdateVoucherBody): void {
  refuse('invalid_voucher', [...contentFaults(item, campaign, body)], item);
  const isDated = dateNames.some((name) => body[name] !== undefined);
  const faults = isDated ? findOwnDateFaults(mergeDates(item, body), campaign) : [];
  if (body.discount === null && item.type === 'DISCOUNT_VOUCHER' && !campaign) {
    faults.push('discount is required, because the voucher has no campaign with a discount');
  }
  refuse('invalid_payload', faults, item);
}

/** Writes only the sent fields, so that concurrent changes of different fields all survive. */
export function changeVoucher(
  { project, now }: Pick<Reading, 'project' | 'now'>,
  { item, campaign, categories }: { item: VoucherItem; campaign: CampaignTerms | undefined; categories: Categories },
  body: UpdateVoucherBody,
): Effect {
  const { id } = item;
  return change(vouchers(project.id, id), (update) => {
    noteChange(update, project.id, id, now.toISOString()).whenThere().take(body, clearable);
    setCategory(update, body, categories);
    if (body.metadata !== undefined)
      mergeVoucherMetadata(update, item, body.metadata, voucherSchema(project, campaign));
    if (body.gift?.effect) update.set(['gift', 'effect'], body.gift.effect);
    if (dateNames.some((name) => body[name] !== undefined)) {
      for (const name of dateNames) update.whenStill(name, item[name] ?? undefined);
    }
    if (body.active === undefined || body.active === item.active) return update;
    return moveSwitched(update, project.id, item, body.active);
  });
}

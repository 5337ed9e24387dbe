import { isConversion } from '#engine/campaigns/campaign.ts';
import { type CampaignTerms, readTerms } from '#engine/campaigns/campaign-terms.ts';
import type { CustomerItem } from '#engine/customers/customer.ts';
import { findCustomerItem } from '#engine/customers/find-customer.ts';
import type { Occasion } from '#engine/ledger/activities/activity.ts';
import { checkUsable } from '#engine/vouchers/check-usable.ts';
import { findVoucher } from '#engine/vouchers/find-voucher.ts';
import { isReferralCode, type VoucherItem } from '#engine/vouchers/voucher.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import { isOnePerson } from '#kernel/core/person.ts';
import type { Writing } from '#kernel/http/context.ts';
import { type Converted, canBring, convert } from '../referrals/conversion.ts';

/**
 * Finds the code that the event names. 404 if it is unknown, and 400 if it is not a referral code or cannot be used.
 */
async function findCode(
  context: Writing,
  code: string,
): Promise<{ item: VoucherItem; campaign: CampaignTerms | undefined }> {
  const item = await findVoucher(context, code);
  if (!item) throw notFound('voucher', code);
  const campaign = (await readTerms(context, [item.campaign_id])).get(item.campaign_id ?? '');
  if (!isReferralCode(item, campaign)) {
    throw new ServiceError('invalid_payload', {
      details: 'referral.code must name a referral code',
      resource: { id: code, type: 'voucher' },
    });
  }
  checkUsable(item, campaign, { now: context.now, place: 'referral.code' });
  return { item, campaign };
}

/** Returns the referrer that the body names, by id or source id (404 if unknown), else the code's owner. */
async function findReferrer(
  context: Writing,
  { holder_id, referrer_id }: VoucherItem,
  named: string | null | undefined,
): Promise<CustomerItem | undefined> {
  if (named) {
    const found = await findCustomerItem(context, named);
    if (!found) throw notFound('customer', named);
    return found;
  }
  const owner = holder_id ?? referrer_id;
  return owner ? findCustomerItem(context, owner) : undefined;
}

interface Referred {
  event: string;
  code: string;
  referrer_id?: string | null | undefined;
}

/** Counts the conversion once per referee, for the programme's event. `undefined` means that it does not count. */
export async function countConversion(
  context: Writing,
  { event, code, referrer_id }: Referred,
  referee: CustomerItem,
  occasion: Occasion,
): Promise<Converted | undefined> {
  const { item, campaign } = await findCode(context, code);
  const referrer = await findReferrer(context, item, referrer_id);
  if (!isConversion(campaign?.referral_program, event)) return undefined;
  if (!canBring(item, referee) || referrer?.id === referee.id) return undefined;
  if (referrer && isOnePerson(referrer, referee)) return undefined;
  return convert(context, [{ item, campaign, referrer, by: { event } }], referee, occasion);
}

import { type CampaignTerms, readTerms } from '../../campaigns/campaign-terms.ts';
import { isConversion } from '../../campaigns/referral-program.ts';
import { notFound, ServiceError } from '../../core/errors.ts';
import type { CustomerItem } from '../../customers/customer.ts';
import { findCustomerItem } from '../../customers/find-customer.ts';
import type { Writing } from '../../http/context.ts';
import type { Occasion } from '../../ledger/activities/activity.ts';
import { findVoucher } from '../../vouchers/find-voucher.ts';
import { isReferralCode } from '../../vouchers/referral-code.ts';
import { checkUsable } from '../../vouchers/usable.ts';
import type { VoucherItem } from '../../vouchers/voucher.ts';
import { type Converted, convert, mayBring } from '../referrals/conversion.ts';

/** The code that the event names: 404 when it is unknown, 400 when it is no referral code or can't be used. */
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

/** Whom the body names, by id or source id (404 when unknown); else whom the code belongs to. */
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

/** Counted once per referee, for the event that the programme waits for. `undefined` when there is nothing to count. */
export async function conversionOf(
  context: Writing,
  { event, code, referrer_id }: Referred,
  referee: CustomerItem,
  occasion: Occasion,
): Promise<Converted | undefined> {
  const { item, campaign } = await findCode(context, code);
  const referrer = await findReferrer(context, item, referrer_id);
  if (!isConversion(campaign?.referral_program, event)) return undefined;
  if (!mayBring(item, referee) || referrer?.id === referee.id) return undefined;
  return convert(context, [{ item, campaign, referrer, by: { event } }], referee, occasion);
}

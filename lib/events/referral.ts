import { type CampaignItem, campaignItem } from '../campaigns/campaign.ts';
import { activityTypes } from '../customers/activity.ts';
import { type CustomerItem, type Referral, referredBefore } from '../customers/customer.ts';
import { findCustomerItem } from '../customers/find-customer.ts';
import { countForCampaign, ownActivity } from '../customers/own-activities.ts';
import type { Write } from '../dynamodb.ts';
import { notFound, ServiceError } from '../errors.ts';
import type { Occasion } from '../loyalty/card.ts';
import { keys } from '../table.ts';
import { UpdateExpression } from '../update-expression.ts';
import { findVoucher } from '../vouchers/find-voucher.ts';
import { isReferralCode } from '../vouchers/referral-code.ts';
import type { VoucherItem } from '../vouchers/voucher.ts';
import type { Context } from './context.ts';

/** A conversion that counts: what it adds to the referee, and what it writes for the referrer. */
export interface Conversion {
  referral: Referral;
  writes: Write[];
}

async function findCode(
  context: Context,
  code: string,
): Promise<{ item: VoucherItem; campaign: CampaignItem | undefined }> {
  const { table, project } = context;
  const item = await findVoucher(context, code);
  if (!item) throw notFound('voucher', code);
  const campaign = item.campaign_id
    ? await table.get(keys.campaign(project.id, item.campaign_id), campaignItem)
    : undefined;
  if (!isReferralCode(item, campaign)) {
    throw new ServiceError('invalid_payload', {
      details: 'referral.code must name a referral code',
      resource: { id: code, type: 'voucher' },
    });
  }
  return { item, campaign };
}

/** Whom the body names, by id or source id (404 when unknown); else whom the code belongs to. */
async function findReferrer(
  context: Context,
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

/** The same code brings somebody into its programme only once; a code without a campaign is a programme of its own. */
function isInAlready(referee: CustomerItem, { id, campaign_id }: VoucherItem): boolean {
  return [...referredBefore(referee), ...referee.referred_in].some((known) =>
    campaign_id ? known.campaign_id === campaign_id : known.related_object_id === id,
  );
}

/** Ruling F.4: once per referee; nobody refers himself. `undefined` when there is nothing to count. */
export async function conversionOf(
  context: Context,
  { code, referrer_id }: { code: string; referrer_id?: string | null | undefined },
  referee: CustomerItem,
  occasion: Occasion,
): Promise<Conversion | undefined> {
  const { project, now } = context;
  const { item, campaign } = await findCode(context, code);
  const referrer = await findReferrer(context, item, referrer_id);
  if (isInAlready(referee, item) || referrer?.id === referee.id) return undefined;
  const referral: Referral = {
    campaign_id: item.campaign_id ?? null,
    referrer_id: referrer?.id ?? null,
    related_object_id: item.id,
    related_object_type: 'voucher',
    date: now.toISOString(),
  };
  if (!referrer) return { referral, writes: [] };
  const counted = new UpdateExpression().whenThere().add('activities', 1).add('referred_customers', 1).build();
  return {
    referral,
    writes: [
      { key: keys.customer(project.id, referrer.id), change: counted },
      ownActivity(project, referrer.id, occasion, {
        type: activityTypes.referred,
        campaign,
        code: item.code,
        data: {
          referee: { id: referee.id, object: 'customer' },
          voucher: { id: item.id, code: item.code, object: 'voucher' },
          ...(campaign ? { campaign: { id: campaign.id, name: campaign.name, object: 'campaign' } } : {}),
        },
      }),
      ...(campaign ? [countForCampaign(project, referrer.id, campaign.id, 1)] : []),
    ],
  };
}

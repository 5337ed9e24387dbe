import { activityTypes, type Occasion, shownCampaign } from '../activities/activity.ts';
import { recordActivity } from '../activities/record-activities.ts';
import { type CampaignTerms, readTerms } from '../campaigns/campaign-terms.ts';
import { isConversion } from '../campaigns/referral-program.ts';
import type { Writing } from '../context.ts';
import { type CustomerItem, customers, type Referral, referredBefore } from '../customers/customer.ts';
import { findCustomerItem } from '../customers/find-customer.ts';
import { notFound, ServiceError } from '../errors.ts';
import { change, type Effect } from '../table/effects.ts';
import type { Update } from '../table/update.ts';
import { findVoucher } from '../vouchers/find-voucher.ts';
import { isReferralCode } from '../vouchers/referral-code.ts';
import { checkUsable } from '../vouchers/usable.ts';
import type { VoucherItem } from '../vouchers/voucher.ts';
import type { Reward } from './referee-reward.ts';

/** A conversion that counts: what it adds to the referee, and what it does for the referrer. */
export interface Conversion {
  referral: Referral;
  /** What the programme gives the referee for it. */
  reward: Reward | undefined;
  effects: Effect[];
}

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

/** The same code brings somebody into its programme only once; a code without a campaign is a programme of its own. */
function isInAlready(referee: CustomerItem, { id, campaign_id }: VoucherItem): boolean {
  return [...referredBefore(referee), ...referee.referred_in].some((known) =>
    campaign_id ? known.campaign_id === campaign_id : known.related_object_id === id,
  );
}

/** The code's own customer is never brought in by it, whoever the body names as the referrer. */
function isOwnCode({ holder_id, referrer_id }: VoucherItem, referrer: CustomerItem | undefined, referee: CustomerItem) {
  return [holder_id, referrer_id, referrer?.id].includes(referee.id);
}

interface Referred {
  event: string;
  code: string;
  referrer_id?: string | null | undefined;
}

/** In all, and by the campaign: the first for a referrer makes what the others raise. */
function countReferred(update: Update, referrer: CustomerItem, campaignId: string | undefined) {
  update.add('referred_customers', 1);
  if (campaignId === undefined) return update;
  return referrer.referred_by_campaign
    ? update.addIn(['referred_by_campaign', campaignId], 1)
    : update.whenStill('referred_by_campaign', undefined).set(['referred_by_campaign'], { [campaignId]: 1 });
}

/** Counted once per referee, for the event that the programme waits for. `undefined` when there is nothing to count. */
export async function conversionOf(
  context: Writing,
  { event, code, referrer_id }: Referred,
  referee: CustomerItem,
  occasion: Occasion,
): Promise<Conversion | undefined> {
  const { project, now } = context;
  const { item, campaign } = await findCode(context, code);
  const referrer = await findReferrer(context, item, referrer_id);
  if (!isConversion(campaign?.referral_program, event)) return undefined;
  if (isInAlready(referee, item) || isOwnCode(item, referrer, referee)) return undefined;
  const referral: Referral = {
    campaign_id: item.campaign_id ?? null,
    referrer_id: referrer?.id ?? null,
    related_object_id: item.id,
    related_object_type: 'voucher',
    date: now.toISOString(),
  };
  const given = campaign?.referral_program?.referee_reward;
  const reward = given ? { given, code: item.code } : undefined;
  if (!referrer) return { referral, reward, effects: [] };
  return {
    referral,
    reward,
    effects: [
      change(customers(project.id, referrer.id), (update) => countReferred(update.whenThere(), referrer, campaign?.id)),
      ...recordActivity(project.id, referrer.id, occasion, {
        type: activityTypes.referred,
        campaign,
        code: item.code,
        data: {
          referee: { id: referee.id, object: 'customer' },
          voucher: { id: item.id, code: item.code, object: 'voucher' },
          ...shownCampaign(campaign),
        },
      }),
    ],
  };
}

import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import { typeOfVouchers } from '../campaigns/kinds.ts';
import { detailsOf, ServiceError } from '../core/errors.ts';
import { type Dates, dateFaults } from '../rules/validity/dates.ts';
import { layersOf } from '../rules/validity/inherited.ts';
import type { VoucherItem } from './voucher.ts';
import type { NewVoucher } from './voucher-body.ts';

/** What is sent of a voucher, of which its type can be told. */
interface Sent extends Pick<NewVoucher, 'gift' | 'loyalty_card'> {
  type?: VoucherItem['type'] | null | undefined;
}

/** The type that is sent, else that of the campaign's vouchers, else the one that has what is sent. */
export function typeOfNew(
  { type, gift, loyalty_card }: Sent,
  campaign: CampaignTerms | undefined,
): VoucherItem['type'] {
  const holds = gift ? 'GIFT_VOUCHER' : loyalty_card ? 'LOYALTY_CARD' : 'DISCOUNT_VOUCHER';
  return type ?? (campaign && typeOfVouchers(campaign)) ?? holds;
}

function refuse(key: 'invalid_payload' | 'invalid_voucher' | 'invalid_campaign', faults: readonly string[]): void {
  if (faults.length > 0) throw new ServiceError(key, { details: detailsOf(faults) });
}

/** Which field says what a voucher of the type gives. */
const contents = { DISCOUNT_VOUCHER: 'discount', GIFT_VOUCHER: 'gift', LOYALTY_CARD: 'loyalty_card' } as const;

/** What each type has to say of itself, unless its campaign says it. */
function* contentFaults(made: NewVoucher, campaign: CampaignTerms | undefined) {
  const { type, discount, gift } = made;
  for (const field of Object.values(contents)) {
    if (field !== contents[type] && made[field]) yield `${field} must not be there, for the type is ${type}`;
  }
  if (type === 'DISCOUNT_VOUCHER' && !discount && !campaign) {
    yield 'discount must be there, for the voucher has no campaign that has one';
  }
  if (type === 'GIFT_VOUCHER' && gift?.amount === undefined && campaign?.voucher?.gift === undefined) {
    yield 'gift.amount must be there, for no campaign says it';
  }
}

/** The dates that hold where the voucher has none. */
function inheritedDates(campaign: CampaignTerms | undefined) {
  const layers = layersOf({}, campaign);
  return {
    start_date: layers.map(({ start_date }) => start_date).find(Boolean),
    expiration_date: layers.map(({ expiration_date }) => expiration_date).find(Boolean),
  };
}

/** 400 for what can't be a voucher of this campaign, or one without. */
export function checkNewVoucher(made: NewVoucher, campaign: CampaignTerms | undefined): void {
  const { type } = made;
  const ofCampaign = campaign && typeOfVouchers(campaign);
  if (campaign && !ofCampaign) refuse('invalid_campaign', ['a PROMOTION campaign has no vouchers']);
  if (ofCampaign && type !== ofCampaign) {
    refuse('invalid_voucher', [`type must be ${ofCampaign}, which the vouchers of the campaign are`]);
  }
  if (type === 'LOYALTY_CARD' && !campaign) {
    refuse('invalid_voucher', ['campaign must be there, for a LOYALTY_CARD is of a loyalty programme']);
  }
  refuse('invalid_payload', [...contentFaults(made, campaign), ...ownDateFaults(made, campaign)]);
}

/** Faults of a voucher's dates beside those that hold where it has none. */
export function ownDateFaults(dates: Dates, campaign: CampaignTerms | undefined): string[] {
  const own = {
    start_date: dates.start_date ?? undefined,
    expiration_date: dates.expiration_date ?? undefined,
    validity_timeframe: dates.validity_timeframe ?? undefined,
  };
  return dateFaults(campaign ? 'campaign' : 'voucher', inheritedDates(campaign), own);
}

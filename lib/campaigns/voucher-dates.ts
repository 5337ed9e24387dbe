import { areInOrder, type Dates, datesAfter } from '../rules/validity/dates.ts';

/** A campaign with what it gives its vouchers. */
interface CampaignDates extends Dates {
  voucher?: Dates | undefined;
}

/** A voucher's dates: from the campaign's `voucher` part, else the campaign's own. */
function voucherDates({ voucher = {}, ...own }: CampaignDates): Dates {
  return {
    start_date: voucher.start_date ?? own.start_date,
    expiration_date: voucher.expiration_date ?? own.expiration_date,
  };
}

/** A campaign whose own dates are not in order is refused for those. */
export function vouchersAreInOrder(campaign: CampaignDates): boolean {
  return areInOrder(voucherDates(campaign)) || !areInOrder(campaign);
}

export function vouchersHaveStart(campaign: CampaignDates): boolean {
  return !campaign.voucher?.validity_timeframe || Boolean(voucherDates(campaign).start_date);
}

/** What of the dates of an update does not go with the `voucher` part, which it can't change. */
export function voucherDateFaults(stored: CampaignDates, body: Dates): string[] {
  const { voucher } = stored;
  const after = { ...datesAfter(stored, body), voucher };
  // Of the other date the vouchers have one of their own.
  const place = voucher?.start_date ? 'expiration_date' : 'start_date';
  const faults: string[] = [];
  if (body[place] && !vouchersAreInOrder(after)) {
    const [when, end] = voucher?.start_date ? ['before', 'start'] : ['after', 'end'];
    faults.push(`${place} must not be ${when} the ${end} that the campaign gives its vouchers`);
  }
  if (body.start_date === null && !vouchersHaveStart(after)) {
    faults.push("start_date must be there: the timeframe of the campaign's vouchers counts from it");
  }
  return faults;
}

import { areInOrder, type Dates, mergeDates } from '../rules/validity/dates.ts';

/** Holds the dates of a campaign and of its `voucher` part. */
interface CampaignDates extends Dates {
  voucher?: Dates | undefined;
}

/** Returns a voucher's dates: from the `voucher` part, or else the campaign's own. */
function voucherDates({ voucher = {}, ...own }: CampaignDates): Dates {
  return {
    start_date: voucher.start_date ?? own.start_date,
    expiration_date: voucher.expiration_date ?? own.expiration_date,
  };
}

/** Checks the vouchers' dates. Accepts a campaign with its own dates out of order, because another check refuses those. */
export function areVouchersInOrder(campaign: CampaignDates): boolean {
  return areInOrder(voucherDates(campaign)) || !areInOrder(campaign);
}

export function haveVouchersStart(campaign: CampaignDates): boolean {
  return !campaign.voucher?.validity_timeframe || Boolean(voucherDates(campaign).start_date);
}

/** Returns the faults of an update's dates against the `voucher` part, which an update can't change. */
export function findVoucherDateFaults(stored: CampaignDates, body: Dates): string[] {
  const { voucher } = stored;
  const after = { ...mergeDates(stored, body), voucher };
  // The vouchers have the other date of their own.
  const place = voucher?.start_date ? 'expiration_date' : 'start_date';
  const faults: string[] = [];
  if (body[place] && !areVouchersInOrder(after)) {
    const [when, end] = voucher?.start_date ? ['before', 'start'] : ['after', 'end'];
    faults.push(`${place} must not be ${when} the ${end} that the campaign gives its vouchers`);
  }
  if (body.start_date === null && !haveVouchersStart(after)) {
    faults.push("start_date must not be null: the timeframe of the campaign's vouchers counts from it");
  }
  return faults;
}

import type * as v from 'valibot';
import type { validityDayOfWeek, validityHours, validityTimeframe } from './validity.ts';

/** The fields that limit use in time. An absent field limits nothing. */
export interface Validity {
  start_date?: string | null | undefined;
  expiration_date?: string | null | undefined;
  validity_timeframe?: v.InferOutput<typeof validityTimeframe> | null | undefined;
  validity_day_of_week?: v.InferOutput<typeof validityDayOfWeek> | null | undefined;
  validity_hours?: v.InferOutput<typeof validityHours> | null | undefined;
}

/** A campaign with its own fields, and those for its vouchers. */
export interface CampaignValidity extends Validity {
  voucher?: Validity | undefined;
}

/** Returns the layers of a voucher's fields by precedence: its own, the campaign's for vouchers, and the campaign's own. */
export function layerValidity(own: Validity, campaign: CampaignValidity | undefined): Validity[] {
  return [own, campaign?.voucher, campaign].filter((layer) => layer !== undefined);
}

export function inheritValidity(own: Validity, campaign: CampaignValidity | undefined) {
  const layers = layerValidity(own, campaign);
  const first = <K extends keyof Validity>(field: K) =>
    layers.map((layer) => layer[field]).find((value) => value !== undefined && value !== null) ?? null;
  return {
    start_date: first('start_date'),
    expiration_date: first('expiration_date'),
    validity_timeframe: first('validity_timeframe'),
    validity_day_of_week: first('validity_day_of_week'),
    validity_hours: first('validity_hours'),
  };
}

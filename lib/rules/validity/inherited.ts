import type * as v from 'valibot';
import type { validityDayOfWeek, validityHours, validityTimeframe } from './validity.ts';

/** When something can be used. What is absent limits nothing. */
export interface Validity {
  start_date?: string | null | undefined;
  expiration_date?: string | null | undefined;
  validity_timeframe?: v.InferOutput<typeof validityTimeframe> | null | undefined;
  validity_day_of_week?: v.InferOutput<typeof validityDayOfWeek> | null | undefined;
  validity_hours?: v.InferOutput<typeof validityHours> | null | undefined;
}

/** A campaign has such fields of its own, and others that it gives its vouchers. */
export interface CampaignValidity extends Validity {
  voucher?: Validity | undefined;
}

/** Whose fields count for a voucher, field by field: its own first, then what its campaign gives vouchers, then the campaign's. */
export function layersOf(own: Validity, campaign: CampaignValidity | undefined): Validity[] {
  return [own, campaign?.voucher, campaign].filter((layer) => layer !== undefined);
}

export function inheritedValidity(own: Validity, campaign: CampaignValidity | undefined) {
  const layers = layersOf(own, campaign);
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

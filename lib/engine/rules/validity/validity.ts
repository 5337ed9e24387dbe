import * as v from 'valibot';
import { named } from '#kernel/core/documented.ts';
import { areApart } from '#kernel/core/hours.ts';
import {
  array,
  dateTime,
  duration,
  isMetadataWithinLimit,
  looseObject,
  metadataTooLarge,
  nullable,
  object,
} from '#kernel/core/schema.ts';

/** The interval and the duration of valid periods, from `start_date` on. */
export const validityTimeframe = named('ValidityTimeframe', object({ interval: duration, duration }));

/** Days of the week. 0 is Sunday, and 6 Saturday. */
const dayOfWeek = v.pipe(
  v.number(),
  v.integer('must be an integer'),
  v.minValue(0, 'must be 0 (Sunday) to 6 (Saturday)'),
  v.maxValue(6, 'must be 0 (Sunday) to 6 (Saturday)'),
);

/** Limits the days and windows. A week needs far fewer, and a body can have many more. */
const maxDays = 100;
const maxWindows = 100;

export const validityDayOfWeek = array(dayOfWeek, maxDays, 'days');

const timeOfDay = v.pipe(
  v.string(),
  v.regex(
    /^(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?|24:00(?::00)?)$/,
    'must be a time of day, HH:mm or HH:mm:ss, up to 24:00',
  ),
);

/**
 * Treats an empty text and null as an absent time, because forms of callers send them. A window without an end lasts
 * until midnight.
 */
function emptyAsAbsent<S extends v.GenericSchema>(schema: S): S {
  const run: S['~run'] = (dataset, config) => {
    const isEmpty = dataset.value === '' || dataset.value === null;
    return schema['~run'](isEmpty ? { ...dataset, value: undefined } : dataset, config);
  };
  return { ...schema, '~run': run };
}

const sentTime = emptyAsAbsent(v.optional(timeOfDay));

/** Only `daily` has an effect. Other fields are kept and shown. */
export const validityHours = named(
  'ValidityHours',
  looseObject({
    daily: v.optional(
      array(
        looseObject({
          start_time: sentTime,
          expiration_time: sentTime,
          days_of_week: v.optional(validityDayOfWeek),
        }),
        maxWindows,
        'windows',
      ),
    ),
  }),
);

/** The stored fields of validity. */
export const validityDates = {
  start_date: nullable(dateTime),
  expiration_date: nullable(dateTime),
  validity_timeframe: nullable(validityTimeframe),
  validity_day_of_week: nullable(validityDayOfWeek),
  validity_hours: nullable(validityHours),
};

type ValidityHours = v.InferOutput<typeof validityHours>;

/** The fields of validity in bodies. Stored values are not checked again. */
export const validityHoursApart = v.pipe(
  validityHours,
  v.check(isMetadataWithinLimit, metadataTooLarge),
  v.forward(
    v.check(
      (hours: ValidityHours) => areApart(hours.daily ?? []),
      'must not have two windows that overlap on the same day',
    ),
    ['daily'],
  ),
);

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

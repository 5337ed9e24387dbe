import * as v from 'valibot';
import { duration, object } from '../schema.ts';

/** How often a valid period starts, and how long each lasts. Counts from `start_date`. */
export const validityTimeframe = object({ interval: duration, duration });

/** 0 is Sunday, 6 Saturday (contract, "Common conventions" 5). */
const dayOfWeek = v.pipe(
  v.number(),
  v.integer('must be an integer'),
  v.minValue(0, 'must be 0 (Sunday) to 6 (Saturday)'),
  v.maxValue(6, 'must be 0 (Sunday) to 6 (Saturday)'),
);

export const validityDayOfWeek = v.array(dayOfWeek);

const timeOfDay = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, HH:mm'));

export const validityHours = object({
  daily: v.optional(
    v.array(
      object({
        start_time: v.optional(timeOfDay),
        expiration_time: v.optional(timeOfDay),
        days_of_week: v.optional(validityDayOfWeek),
      }),
    ),
  ),
});

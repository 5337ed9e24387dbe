import * as v from 'valibot';
import { shownAs } from '../core/documented.ts';
import { date, dateTime } from '../core/schema.ts';

/** A date of birth as callers send it; of a date and time, the date as it is written, wherever that was. */
export const birthDate = shownAs(
  v.union([
    date,
    v.pipe(
      v.string(),
      v.check((text) => v.is(dateTime, text)),
      v.transform((text) => text.slice(0, 'YYYY-MM-DD'.length)),
    ),
  ]),
  { type: 'string', format: 'date' },
);

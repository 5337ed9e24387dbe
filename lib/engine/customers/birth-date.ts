import * as v from 'valibot';
import { shownAs } from '#kernel/core/documented.ts';
import { date, dateTime } from '#kernel/core/schema.ts';

/** Reads a date of birth from callers. From a date and time, it uses the written date, in any time zone. */
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

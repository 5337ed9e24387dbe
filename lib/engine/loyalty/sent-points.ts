import * as v from 'valibot';
import { shownAs } from '#kernel/core/documented.ts';
import { positiveInteger, sentCount } from '#kernel/core/schema.ts';

/** Points in a body: a positive integer, or its text. */
export const sentPoints = shownAs(v.pipe(sentCount, positiveInteger), {
  anyOf: [
    { type: 'integer', minimum: 1 },
    { type: 'string', pattern: '^\\d{1,15}$' },
  ],
});

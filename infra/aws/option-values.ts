import * as v from 'valibot';

/** Parses values that options of several kinds share. */

export const onOrOff = v.union(
  [
    v.boolean(),
    v.pipe(
      v.picklist(['on', 'off']),
      v.transform((word) => word === 'on'),
    ),
  ],
  'must be on or off, or true or false in the file of stages',
);

/** Parses a number. The command line has it as text, and the file of stages may have a number. */
export const wholeNumberUpTo = (most: number) =>
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform(String),
    v.regex(/^[1-9]\d{0,5}$/, `must be a whole number, 1 to ${most}`),
    v.transform(Number),
    v.maxValue(most, `must be a whole number, 1 to ${most}`),
  );

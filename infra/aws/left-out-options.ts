import * as v from 'valibot';
import { addOns } from '#registry.ts';
import type { Options } from '../command-line.ts';
import { leftOutNames, optionalAddOns } from '../left-out-names.ts';
import { OptionsError } from './stages.ts';

/** Lets a stage leave out add-ons, with their functions, queues and rights (docs/operations.md#without). */

export const leftOutOptions = {
  without: {
    type: 'string',
    value: 'ADD-ONS',
    words: `add-ons that the stage does not have: ${optionalAddOns}, several with commas, or none`,
  },
} as const satisfies Options;

export const leftOutEntries = { without: v.optional(leftOutNames, []) };

const isChosen = (value: unknown) =>
  ![undefined, false, 'off'].some((nothing) => nothing === value) && !(Array.isArray(value) && value.length === 0);

/** Returns the choice of a stage. Rejects options of an add-on that it leaves out, because they would have no effect. */
export function readLeftOut({
  without,
  ...chosen
}: { without: readonly string[] } & Readonly<Record<string, unknown>>): {
  leaveOut?: readonly string[];
} {
  for (const { name, options } of addOns.filter((one) => without.includes(one.name))) {
    for (const option of options.filter((one) => isChosen(chosen[one]))) {
      throw new OptionsError(
        `an option: ${option} needs the add-on ${name}, which without leaves out: remove one of them`,
      );
    }
  }
  return without.length === 0 ? {} : { leaveOut: without };
}

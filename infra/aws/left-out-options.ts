import * as v from 'valibot';
import { findClosest } from '#kernel/core/spelling.ts';
import { addOns } from '#registry.ts';
import type { Options } from '../command-line.ts';
import { OptionsError } from './stages.ts';

/** Lets a stage leave out add-ons, with their functions, queues and rights (docs/operations.md#without). */

const listed = (names: readonly string[]) => names.join(', ').replace(/, ([^,]*)$/, ' or $1');
const optional = addOns.flatMap((one) => ('needed' in one ? [] : [one.name]));
const choice = `a stage may leave out ${listed(optional)}`;

export const leftOutOptions = {
  without: {
    type: 'string',
    value: 'ADD-ONS',
    words: `add-ons that the stage does not have: ${listed(optional)}, several with commas, or none`,
  },
} as const satisfies Options;

/** Returns the fault of a name that no stage can leave out. */
function findFault(name: string): string | undefined {
  const found = addOns.find((one) => one.name === name);
  if (found) return 'needed' in found ? `can't leave out ${name}, because ${found.needed}: ${choice}` : undefined;
  if (name === 'agents') return 'needs no agents: they are off without the option agents';
  const meant = findClosest(name, optional);
  return `names ${name}, which is no add-on: ${meant === undefined ? choice : `write ${meant} (${choice})`}`;
}

export const leftOutEntries = {
  without: v.optional(
    v.pipe(
      v.union([v.string(), v.array(v.string())]),
      v.transform((given) => [given].flat().flatMap((part) => part.split(/[\s,]+/).filter(Boolean))),
      v.transform((names) => (names.join() === 'none' ? [] : names)),
      v.rawCheck(({ dataset, addIssue }) => {
        for (const message of dataset.typed ? dataset.value.flatMap((name) => findFault(name) ?? []) : [])
          addIssue({ message });
      }),
      v.transform((names) => optional.filter((name) => names.includes(name))),
    ),
    [],
  ),
};

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

import * as v from 'valibot';
import { findClosest } from '#kernel/core/spelling.ts';
import { addOns } from '#registry.ts';

/** Reads the names of add-ons to leave out, and refuses names that no stage can leave out (docs/operations.md#without). */

const optional = addOns.flatMap((one) => ('needed' in one ? [] : [one.name]));

/** Names the add-ons that a stage may leave out, for sentences. */
export const optionalAddOns = optional.join(', ').replace(/, ([^,]*)$/, ' or $1');
const choice = `a stage may leave out ${optionalAddOns}`;

/** Returns the fault of a name that no stage can leave out. */
function findFault(name: string): string | undefined {
  const found = addOns.find((one) => one.name === name);
  if (found) return 'needed' in found ? `can't leave out ${name}, because ${found.needed}: ${choice}` : undefined;
  if (name === 'agents') return 'needs no agents: they are off without the option agents';
  const meant = findClosest(name, optional);
  return `names ${name}, which is not an add-on: ${meant === undefined ? choice : `write ${meant} (${choice})`}`;
}

export const leftOutNames = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((given) => [given].flat().flatMap((part) => part.split(/[\s,]+/).filter(Boolean))),
  v.transform((names) => (names.join() === 'none' ? [] : names)),
  v.rawCheck(({ dataset, addIssue }) => {
    for (const message of dataset.typed ? dataset.value.flatMap((name) => findFault(name) ?? []) : [])
      addIssue({ message });
  }),
  v.transform((names) => optional.filter((name) => names.includes(name))),
);

/**
 * Passes the add-ons that a stage leaves out to its functions. All stages share the bundles, so a function reads them
 * from its environment.
 */

/** Returns the variable that passes the left-out add-ons to a function. */
export const leftOutVariable = (names: readonly string[]): Record<string, string> =>
  names.length === 0 ? {} : { LEFT_OUT: names.join(' ') };

/** Returns the names of the add-ons that the stage leaves out. */
export const leftOutIn = ({ LEFT_OUT = '' }: Readonly<NodeJS.ProcessEnv>): readonly string[] =>
  LEFT_OUT.split(' ').filter(Boolean);

/** Returns the elements that belong to no add-on, or to an add-on that the stage has. */
export const withoutLeftOut = <T extends { readonly addOn?: string | undefined }>(
  all: readonly T[],
  leftOut: readonly string[],
): T[] => all.filter(({ addOn }) => addOn === undefined || !leftOut.includes(addOn));

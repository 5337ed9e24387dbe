import * as v from 'valibot';
import { notFound } from '#kernel/core/errors.ts';
import { identifier } from '#kernel/core/schema.ts';
import { Misuse, type Options, runCommand } from '../command-line.ts';
import { type Target, tableNotes, withTable } from './target.ts';

/** The key commands share their verbs, their arguments, and the way to switch a key off. */

const dryRunOption = {
  'dry-run': { type: 'boolean', words: 'prints the planned change, and changes nothing' },
} as const satisfies Options;

/** Names all projects, in place of the argument after the verb. */
export const allProjectsOption = {
  'all-projects': { type: 'boolean', words: 'means all projects, in place of a project' },
} as const satisfies Options;

export const keyOptions = {
  name: { type: 'string', value: 'NAME', words: 'the name of the key, for people' },
  id: { type: 'string', value: 'ID', words: 'the id of the key; random by default' },
  hours: { type: 'string', value: 'HOURS', words: 'the hours for which the older token still works' },
} as const satisfies Options;

/** Returns the time after this number of hours, or `undefined` without a number. */
export function findEnd(hours: string | undefined, now: Date): Date | undefined {
  if (hours === undefined) return undefined;
  if (!/^\d{1,5}$/.test(hours)) throw new Misuse('--hours must be a whole number of hours');
  return new Date(now.getTime() + Number(hours) * 3_600_000);
}

/** Prints a new token. */
export function printToken(label: string, id: string, token: string, ...notes: string[]): string {
  return [`${label.padEnd(8)}${id}`, `token   ${token}`, ...notes, ''].join('\n');
}

export const onlyOnce = 'The token is shown only once, because it is not stored.';

export function printRotation(label: string, id: string, token: string, until: Date | undefined): string {
  const end = until === undefined ? 'it is retired' : until.toISOString();
  return printToken(label, id, token, `The older token also works, until ${end}.`);
}

interface KeyCall {
  /** The argument after the verb. Empty if the call names all projects. */
  subject: string;
  allProjects: boolean;
  /** Reads an option that the command needs. Throws `Misuse` if it is missing or no identifier. */
  required: (option: string) => string;
  given: (option: string) => string | undefined;
  dryRun: boolean;
}

export interface Verb {
  action: (target: Target, call: KeyCall) => Promise<string>;
  /** Names the argument after the verb, as in the usage. */
  about: string;
  options: readonly string[];
  /** Lists the options that the verb requires. */
  needs?: readonly string[];
}

function checked(name: string, value: unknown): string {
  const result = v.safeParse(identifier, value);
  if (result.success) return result.output;
  throw new Misuse(`${name} ${value === undefined ? 'is required' : result.issues[0].message}`);
}

interface Switch {
  type: string;
  about: string;
  find: (
    table: Target['table'],
    id: string,
  ) => Promise<{ active: boolean; project_id?: string | undefined } | undefined>;
  /** Returns `false` if the key was already off. */
  switchOff: (table: Target['table'], id: string) => Promise<boolean>;
}

export function buildOffVerb({ type, about, find, switchOff }: Switch): Verb {
  const action: Verb['action'] = async ({ table }, { subject: id, dryRun }) => {
    if (!dryRun) {
      return (await switchOff(table, id))
        ? `${id} is off. Every container stops accepting it within 60 seconds.\n`
        : `${id} was already off\n`;
    }
    const key = await find(table, id);
    if (!key) throw notFound(type, id);
    const state = key.active ? 'is on and can be switched off' : 'is off';
    return `${id} of ${key.project_id ?? 'all projects'} ${state}. Nothing was written.\n`;
  };
  return { action, about, options: ['dry-run'] };
}

export async function runKeyCommand(usage: string, options: Options, verbs: ReadonlyMap<string, Verb>): Promise<void> {
  const shape = {
    usage,
    options: { ...options, ...dryRunOption },
    positionals: { least: 1, most: 2 },
    notes: tableNotes,
  };
  await runCommand(shape, async ({ values, positionals: [verb = '', subject] }) => {
    const known = verbs.get(verb);
    if (!known) throw new Misuse(`"${verb}" is none of ${[...verbs.keys()].join(', ')}`);
    const given = new Map(Object.entries(values));
    const foreign = [...given.keys()].find((option) => !known.options.includes(option));
    if (foreign !== undefined) throw new Misuse(`${verb} has no option --${foreign}`);
    const required = (option: string) => checked(`--${option}`, given.get(option));
    const allProjects = given.get('all-projects') === true;
    if (allProjects && subject !== undefined)
      throw new Misuse(`--all-projects replaces ${subject}: give only one of them`);
    const call: KeyCall = {
      subject: allProjects ? '' : checked(known.about, subject),
      allProjects,
      required,
      given: (option) => (given.has(option) ? required(option) : undefined),
      dryRun: given.get('dry-run') === true,
    };
    // Wrong command lines are refused before the table is reached.
    for (const option of known.needs ?? []) required(option);
    return withTable(process.env, {}, (target) => known.action(target, call));
  });
}

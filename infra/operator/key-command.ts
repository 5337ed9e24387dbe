import * as v from 'valibot';
import { notFound } from '../../lib/core/errors.ts';
import { identifier } from '../../lib/core/schema.ts';
import { Misuse, type Options, runCommand } from '../command-line.ts';
import { type Target, tableNotes, withTable } from './target.ts';

/** The key commands share their verbs, their arguments, and the way to switch a key off. */

export const dryRunOption = {
  'dry-run': { type: 'boolean', words: 'prints the planned change, and changes nothing' },
} as const satisfies Options;

export interface KeyCall {
  /** The argument after the verb. */
  subject: string;
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
  find: (table: Target['table'], id: string) => Promise<{ active: boolean; project_id: string } | undefined>;
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
    return `${id} of ${key.project_id} ${state}. Nothing was written.\n`;
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
    if (foreign !== undefined) throw new Misuse(`${verb} takes no --${foreign}`);
    const required = (option: string) => checked(`--${option}`, given.get(option));
    const call: KeyCall = {
      subject: checked(known.about, subject),
      required,
      given: (option) => (given.has(option) ? required(option) : undefined),
      dryRun: given.get('dry-run') === true,
    };
    // Wrong command lines are refused before the table is reached.
    for (const option of known.needs ?? []) required(option);
    return withTable(process.env, {}, (target) => known.action(target, call));
  });
}

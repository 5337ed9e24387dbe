import * as v from 'valibot';
import { dateTime } from '#kernel/core/schema.ts';
import { Complaint, Misuse, type Options, runCommand } from '../command-line.ts';
import { checkTable } from './restore/check.ts';
import { copyMissing, leftByReplace, replaceAll } from './restore/copy.ts';
import { type Counts, compareTables, type Pair, type Scope } from './restore/differences.ts';
import { pointInTimeOf, restoreTable } from './restore/point-in-time.ts';
import { type Target, tableNotes, withTable } from './target.ts';

const usage = `Restores a table to a time as a second table, and copies lost items back.

  npm run restore -- begin SIDE --at TIME
      Restores the table, with its state at TIME (2026-06-15T12:00:00Z), to the new table SIDE. Waits for the end. AWS only.

  npm run restore -- check [SIDE]
      Counts items by kind, and compares each card with its ledger, in SIDE or in the table in use.

  npm run restore -- compare SIDE
      Counts by kind the missing, different and additional items of the table in use. Writes nothing.

  npm run restore -- copy SIDE --kind KIND
      Puts items that the table in use lacks, and changes no others. The stage may keep working.

  npm run restore -- replace SIDE --stopped
      Makes the table in use equal to SIDE: puts, replaces and removes items. The stage must be stopped.

Each command can be interrupted and started again.
`;

const options = {
  at: { type: 'string', value: 'TIME', words: 'the time that begin restores to' },
  kind: {
    type: 'string',
    value: 'KIND',
    multiple: true,
    words: 'limits to items of this kind with their children, such as VOUCHER with ledgers; may be repeated',
  },
  under: { type: 'string', value: 'KEY', words: 'limits to partition keys with this beginning, such as "proj_shop#"' },
  stopped: { type: 'boolean', words: 'says that the functions of the stage are stopped' },
  'dry-run': { type: 'boolean', words: 'prints the planned changes of copy or replace, and changes nothing' },
} as const satisfies Options;

interface Call {
  readonly scope: Scope;
  readonly at: Date | undefined;
  readonly dryRun: boolean;
}

const shownFaults = 50;

async function tableBeside({ dynamodb, tableName, now }: Target, side: string): Promise<Pair> {
  if (side === tableName) throw new Complaint(`${side} is the table in use`);
  if (!(await pointInTimeOf(dynamodb).describe(side))) throw new Complaint(`SIDE: the table ${side} does not exist`);
  return { side: { dynamodb, tableName: side }, live: { dynamodb, tableName }, now };
}

async function begin({ dynamodb, tableName }: Target, target: string, at: Date): Promise<string> {
  await restoreTable(pointInTimeOf(dynamodb), { source: tableName, target, at });
  return `${target} is ${tableName} at ${at.toISOString()}. Next: npm run restore -- check ${target}\n`;
}

async function check(target: Target, side: string | undefined): Promise<string> {
  const table = side === undefined ? target : (await tableBeside(target, side)).side;
  const { counts, cards, entries, faults, totalsApart } = await checkTable(table, target.now);
  process.stdout.write(counts.lines);
  const apart = `${totalsApart} totals differ from their lists, which they follow within seconds`;
  if (faults.length > 0) {
    throw new Complaint(`${table.tableName} has ${faults.length} faults. ${apart}`, faults.slice(0, shownFaults));
  }
  return `${table.tableName}: ${cards} cards agree with their ${entries} entries. ${apart}\n`;
}

function said(counts: Counts, dryRun: boolean): string {
  return `${counts.lines}${dryRun ? 'Nothing was written.' : 'Done.'}\n`;
}

async function replace(pair: Pair, { scope, dryRun }: Call): Promise<string> {
  const counts = await replaceAll(pair, scope, { dryRun });
  const left = counts.of(leftByReplace);
  if (left === 0) return said(counts, dryRun);
  process.stdout.write(counts.lines);
  throw new Complaint(`${left} items were written in the meantime and were not replaced: the stage is not stopped`, [
    'Stop its functions, and run the command again.',
  ]);
}

const verbs = ['begin', 'check', 'compare', 'copy', 'replace'] as const;

/** Lists the options of each verb. */
const takes: Readonly<Record<(typeof verbs)[number], readonly string[]>> = {
  begin: ['at'],
  check: [],
  compare: ['kind', 'under'],
  copy: ['kind', 'under', 'dry-run'],
  replace: ['kind', 'under', 'dry-run', 'stopped'],
};

function timeOf(value: string | undefined): Date {
  if (value === undefined) throw new Misuse('begin needs --at TIME');
  if (!v.is(dateTime, value)) throw new Misuse(`--at: "${value}" is not a time like 2026-06-15T12:00:00Z`);
  return new Date(value);
}

const positionals = { least: 1, most: 2 };

await runCommand({ usage, options, positionals, notes: tableNotes }, async ({ values, positionals }) => {
  const [word = '', side] = positionals;
  const verb = verbs.find((one) => one === word);
  if (verb === undefined) throw new Misuse(`"${word}" is none of ${verbs.join(', ')}`);
  const foreign = Object.keys(values).find((name) => !takes[verb].includes(name));
  if (foreign !== undefined) throw new Misuse(`${verb} has no option --${foreign}`);
  const scope = { kinds: values.kind ?? [], under: values.under };
  const dryRun = values['dry-run'] ?? false;
  const call: Call = { scope, dryRun, at: verb === 'begin' ? timeOf(values.at) : undefined };
  if (verb === 'check') return withTable(process.env, {}, (target) => check(target, side));
  if (side === undefined) throw new Misuse('SIDE is required');
  if (verb === 'copy' && scope.kinds.length === 0) {
    throw new Misuse('copy needs --kind, because missing items may have been removed on purpose: see compare');
  }
  if (verb === 'replace' && !values.stopped && !dryRun) {
    throw new Misuse('replace undoes everything that the stage wrote since: stop the stage, and add --stopped');
  }
  return withTable(process.env, {}, async (target) => {
    if (call.at) return begin(target, side, call.at);
    const pair = await tableBeside(target, side);
    if (verb === 'compare') return said(await compareTables(pair, scope), true);
    return verb === 'copy' ? said(await copyMissing(pair, scope, call), dryRun) : replace(pair, call);
  });
});

import { join } from 'node:path';
import * as v from 'valibot';
import { ProjectFileError } from '#addons/admin/project-file/faults.ts';
import { project as fileProject } from '#addons/admin/project-file/lists.ts';
import { describeIssues } from '#kernel/core/issues.ts';
import { type Call, Complaint, Misuse, type Options, runCommand } from '../command-line.ts';
import { endpointUrl, readSettings, toComplaint } from '../environment.ts';
import { check, type Found } from './migrate/check.ts';
import { systemClock } from './migrate/clock.ts';
import { findRemainder } from './migrate/remainder.ts';
import { migrate } from './migrate/run.ts';
import { Source, SourceFault, SourceRefusal, SourceSilent } from './migrate/source.ts';
import { ForeignFolder, Progress, writeWhole } from './migrate/state.ts';
import { tableNotes, withTable } from './target.ts';

const usage = `Copies a project from a service that speaks this interface, such as another Tessera.

  npm run migrate -- --from URL --app-id ID [--project PROJECT]
  npm run migrate -- check --from URL --app-id ID [--project PROJECT] --to URL --to-app-id ID

It reads lists by pages and long lists by exports, and writes to the table. Campaigns are off until everything is written.
An interrupted run is continued by the same command. A further run writes only what has changed since.
A check compares sums of both sides by campaign and day, and samples of cards, codes and customers by field.
It requests from both sides whether customers who have redeemed may redeem again.
`;

const options = {
  from: { type: 'string', value: 'URL', words: 'the address of the source, without a path' },
  'app-id': { type: 'string', value: 'ID', words: 'the app key of the source' },
  'app-token': { type: 'string', value: 'TOKEN', words: 'its token, unless SOURCE_APP_TOKEN has it' },
  project: {
    type: 'string',
    value: 'PROJECT',
    words: 'the id of the project here, such as proj_shop (proj_ and the app key)',
  },
  name: { type: 'string', value: 'NAME', words: 'the name of the project here (its id)' },
  folder: { type: 'string', value: 'FOLDER', words: 'the folder for the progress and files (migration-PROJECT)' },
  calls: { type: 'string', value: 'NUMBER', words: 'the calls to the source in a minute', default: '100' },
  to: { type: 'string', value: 'URL', words: 'check: the address of the API here' },
  'to-app-id': { type: 'string', value: 'ID', words: 'check: an app key of the project here' },
  'to-app-token': { type: 'string', value: 'TOKEN', words: 'check: its token, unless TARGET_APP_TOKEN has it' },
  samples: {
    type: 'string',
    value: 'NUMBER',
    words: 'check: the number of samples, and of customers who have redeemed',
    default: '1000',
  },
} as const satisfies Options;

/** No other caller waits for a check here. */
const callsHere = 60_000;

const notes = `  SOURCE_APP_TOKEN   the token of the source, so that it is in no list of processes
  TARGET_APP_TOKEN   the token of the API here, likewise
${tableNotes}`;

const environment = v.object({
  SOURCE_APP_TOKEN: v.optional(v.string()),
  TARGET_APP_TOKEN: v.optional(v.string()),
});

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new Misuse(`--${name} is required`);
  return value;
}

function numberIn(text: string, name: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Misuse(`--${name}: "${text}" is not a number from 1 to 999999`);
  return Number(text);
}

function addressIn(value: string | undefined, name: string): string {
  const url = required(value, name);
  if (!v.is(endpointUrl, url)) throw new Misuse(`--${name}: "${url}" is not an http or https URL without a path`);
  return url;
}

/** Explains to an operator how to resolve a fault. Returns other errors unchanged. */
function clearer(error: unknown, path: string): unknown {
  if (error instanceof ForeignFolder) return new Complaint(`--folder: ${error.message}`);
  if (error instanceof SourceRefusal) return new Complaint(`The source refuses: ${error.message}`);
  if (error instanceof SourceFault) {
    return new Complaint(`The source answers what cannot be copied: ${error.message}`, [
      'Repair the source, and run the command again to continue.',
    ]);
  }
  if (error instanceof SourceSilent) {
    return new Complaint(`The source does not answer: ${error.message}`, ['Run the command again to continue.']);
  }
  if (error instanceof ProjectFileError) return toComplaint(error, path);
  return error;
}

type Values = Call<typeof options>['values'];

/** Refuses values that the project file cannot contain, before the source is read. */
const named = v.object({ project: fileProject.entries.id, name: fileProject.entries.name });

function projectOf(values: Values): { id: string; name: string } {
  const id = values.project ?? `proj_${required(values['app-id'], 'app-id')}`;
  const checked = v.safeParse(named, { project: id, name: values.name ?? id });
  if (!checked.success) {
    throw new Misuse(
      describeIssues(checked.issues, '')
        .map((issue) => `--${issue}`)
        .join('\n'),
    );
  }
  return { id, name: checked.output.name };
}

function tellWait(why: string, ms: number): void {
  process.stderr.write(`${why}; asked again after ${Math.ceil(ms / 1_000)} s\n`);
}

function sourceOf({ from, calls, ...values }: Values): Source {
  const { SOURCE_APP_TOKEN } = readSettings(environment, process.env);
  const url = addressIn(from, 'from');
  const appToken = required(values['app-token'] ?? SOURCE_APP_TOKEN, 'app-token');
  return new Source({
    url,
    appId: required(values['app-id'], 'app-id'),
    appToken,
    callsPerMinute: numberIn(calls, 'calls'),
    clock: systemClock,
    onWait: tellWait,
  });
}

/** Names each step once, although it has several lists. */
function reporter() {
  let last = '';
  return (name: string) => {
    if (name !== last) process.stderr.write(`${name}\n`);
    last = name;
  };
}

async function copy(values: Values, folder: string): Promise<string> {
  const source = sourceOf(values);
  const project = projectOf(values);
  return withTable(process.env, { make: true }, async ({ dynamodb, tableName, now }) => {
    const progress = await Progress.open(folder, { from: source.url, project: project.id });
    const target = { dynamodb, tableName, now, project };
    const done = await migrate(source, progress, target, reporter());
    const lists = Object.entries(done.counts).map(([list, entries]) => `${entries.toLocaleString('en')} ${list}`);
    const remainder = findRemainder(project.id, done).map((line) => `  ${line}\n`);
    const wrote = done.written === 0 ? 'nothing has changed' : `wrote ${done.written.toLocaleString('en')} items`;
    return `${project.id} is in ${tableName}, after ${source.calls} calls: ${wrote}, of ${lists.join(', ')}\n${remainder.join('')}`;
  });
}

async function compare(values: Values, folder: string): Promise<string> {
  const source = sourceOf(values);
  const { TARGET_APP_TOKEN } = readSettings(environment, process.env);
  const here = new Source({
    url: addressIn(values.to, 'to'),
    appId: required(values['to-app-id'], 'to-app-id'),
    appToken: required(values['to-app-token'] ?? TARGET_APP_TOKEN, 'to-app-token'),
    callsPerMinute: callsHere,
    clock: systemClock,
    onWait: tellWait,
  });
  const { id: project } = projectOf(values);
  const sides = await Promise.all(
    [source, here].map(async (service, index) => {
      const place = join(folder, index === 0 ? 'check-source' : 'check-here');
      return {
        service,
        progress: await Progress.open(place, { from: service.url, project }),
      };
    }),
  );
  const [one, other] = sides;
  if (!one || !other) throw new Error('a check has two sides');
  const checked = await check(one, other, numberIn(values.samples, 'samples'));
  const path = join(folder, 'check.json');
  await writeWhole(path, `${JSON.stringify(checked.found, undefined, 1)}\n`);
  const what = `${checked.sums} sums, ${checked.samples} samples and the answers to ${checked.asked} customers who have redeemed`;
  if (checked.found.length === 0) return `${what} are equal\n`;
  throw new Complaint(
    `${what} have ${checked.found.length} differences, all of them in ${path}`,
    summarise(checked.found),
  );
}

const shownDifferences = 20;

function summarise(found: readonly Found[]): string[] {
  return [...Map.groupBy(found, ({ cause }) => cause)].flatMap(([cause, some]) => [
    `${some.length} × ${cause}:`,
    ...some
      .slice(0, shownDifferences)
      .map(
        ({ place, source, here }) =>
          `  ${place}: ${JSON.stringify(source)} at the source, ${JSON.stringify(here)} here`,
      ),
  ]);
}

await runCommand(
  { usage, options, notes, positionals: { least: 0, most: 1 } },
  async ({ values, positionals: [verb] }) => {
    if (verb !== undefined && verb !== 'check') throw new Misuse(`"${verb}" is not check`);
    const folder = values.folder ?? `migration-${projectOf(values).id}`;
    try {
      return await (verb === 'check' ? compare(values, folder) : copy(values, folder));
    } catch (error) {
      throw clearer(error, join(folder, 'project.json'));
    }
  },
);

import { join } from 'node:path';
import * as v from 'valibot';
import { ProjectFileError } from '../../lib/operator/project-file/faults.ts';
import { Complaint, Misuse, runCommand } from '../command-line.ts';
import { endpointUrl, readSettings, toComplaint } from '../environment.ts';
import { systemClock } from './migrate/clock.ts';
import { findRemainder } from './migrate/remainder.ts';
import { migrate } from './migrate/run.ts';
import { Source, SourceRefusal, SourceSilent } from './migrate/source.ts';
import { ForeignFolder, Progress } from './migrate/state.ts';
import { tableNotes, withTable } from './target.ts';

const usage = `Copies a project from a service that speaks this interface, such as another Tessera.

  npm run migrate -- --from URL --app-id ID --project PROJECT

It reads lists by pages and long lists by exports, and writes to the table. Campaigns are off until everything is written.
An interrupted run is continued by the same command. A further run writes only what has changed since.
`;

const options = {
  from: { type: 'string', value: 'URL', words: 'the address of the source, without a path' },
  'app-id': { type: 'string', value: 'ID', words: 'the app key of the source' },
  'app-token': { type: 'string', value: 'TOKEN', words: 'its token, unless SOURCE_APP_TOKEN has it' },
  project: { type: 'string', value: 'PROJECT', words: 'the id of the project here, such as proj_shop' },
  name: { type: 'string', value: 'NAME', words: 'the name of the project here (its id)' },
  folder: { type: 'string', value: 'FOLDER', words: 'the folder for the progress and files (migration-PROJECT)' },
  calls: { type: 'string', value: 'NUMBER', words: 'the calls to the source in a minute', default: '100' },
} as const;

const notes = `  SOURCE_APP_TOKEN   the token of the source, so that it is in no list of processes
${tableNotes}`;

const environment = v.object({ SOURCE_APP_TOKEN: v.optional(v.string()) });

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new Misuse(`--${name} is required`);
  return value;
}

function callsIn(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Misuse(`--calls: "${text}" is no number of calls from 1 to 999999`);
  return Number(text);
}

/** Tells an operator what to do about a fault. Other errors stay as they are. */
function clearer(error: unknown, path: string): unknown {
  if (error instanceof ForeignFolder) return new Complaint(`--folder: ${error.message}`);
  if (error instanceof SourceRefusal) return new Complaint(`The source refuses: ${error.message}`);
  if (error instanceof SourceSilent) {
    return new Complaint(`The source does not answer: ${error.message}`, ['Run the command again to continue.']);
  }
  if (error instanceof ProjectFileError) return toComplaint(error, path);
  return error;
}

await runCommand({ usage, options, notes }, async ({ values }) => {
  const url = required(values.from, 'from');
  if (!v.is(endpointUrl, url)) throw new Misuse(`--from: "${url}" is no http or https URL without a path`);
  const id = required(values.project, 'project');
  const { SOURCE_APP_TOKEN } = readSettings(environment, process.env);
  const appToken = required(values['app-token'] ?? SOURCE_APP_TOKEN, 'app-token');
  const appId = required(values['app-id'], 'app-id');
  const source = new Source({ url, appId, appToken, callsPerMinute: callsIn(values.calls), clock: systemClock });
  const folder = values.folder ?? `migration-${id}`;
  return await withTable(process.env, { make: true }, async ({ dynamodb, tableName, now }) => {
    try {
      const progress = await Progress.open(folder, { from: url, project: id });
      let last = '';
      const onStep = (name: string) => {
        if (name !== last) process.stderr.write(`${name}\n`);
        last = name;
      };
      const target = { dynamodb, tableName, now, project: { id, name: values.name ?? id } };
      const done = await migrate(source, progress, target, onStep);
      const lists = Object.entries(done.counts).map(([list, entries]) => `${entries.toLocaleString('en')} ${list}`);
      const remainder = findRemainder(id, done).map((line) => `  ${line}\n`);
      return `${id} is in ${tableName}, after ${source.calls} calls: ${lists.join(', ')}\n${remainder.join('')}`;
    } catch (error) {
      throw clearer(error, join(folder, 'project.json'));
    }
  });
});

import { notFound } from '#kernel/core/errors.ts';
import { findJob, listJobs, resumeJob } from '#kernel/kit/jobs/operate.ts';
import { partitionNameOf } from '#kernel/table/keys.ts';
import { Misuse, runCommand } from '../command-line.ts';
import { type Target, tableNotes, withTable } from './target.ts';

const usage = `Lists and resumes the jobs of a table, such as codes to generate and mails to send.

  npm run jobs -- list
      Prints the failed and the open jobs, with tabs between the columns.
      The columns are job, kind, state, subject, failures and time of creation.

  npm run jobs -- resume JOB [--dry-run]
      Continues a failed or stuck job from where it stopped. JOB is the first column of list.
`;

const options = {
  'dry-run': { type: 'boolean', words: 'prints the planned change, and changes nothing' },
} as const;

async function list({ table }: Target): Promise<string> {
  const lines: string[] = [];
  for await (const { kind, state, about, attempts, created_at, ...item } of listJobs(table)) {
    lines.push(`${[partitionNameOf(item), kind, state, about, attempts, created_at].join('\t')}\n`);
  }
  return lines.length > 0 ? lines.join('') : 'No job is open, and none has failed.\n';
}

async function resume({ table, now }: Target, name: string, dryRun: boolean): Promise<string> {
  const job = await findJob(table, name);
  if (!job || job.state === 'DONE') throw notFound('job', name);
  if (dryRun) return `${name} is ${job.state} and can be resumed. Nothing was written.\n`;
  await resumeJob(table, job, now);
  return `${name} is resumed\n`;
}

const positionals = { least: 1, most: 2 };

await runCommand({ usage, options, positionals, notes: tableNotes }, async ({ values, positionals }) => {
  const [verb = '', job] = positionals;
  const dryRun = values['dry-run'] ?? false;
  if (verb === 'list') {
    if (job !== undefined || dryRun) throw new Misuse('list accepts no argument and no --dry-run');
    return withTable(process.env, {}, list);
  }
  if (verb !== 'resume') throw new Misuse(`"${verb}" is none of list, resume`);
  if (job === undefined) throw new Misuse('JOB is required');
  return withTable(process.env, {}, (target) => resume(target, job, dryRun));
});

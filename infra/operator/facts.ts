import * as v from 'valibot';
import { backfillFacts } from '#addons/reports/facts/backfill-facts.ts';
import { createFactBucket } from '#addons/reports/facts/fact-bucket.ts';
import { createS3Client } from '#kernel/core/files/bucket.ts';
import { Misuse, runCommand } from '../command-line.ts';
import { endpointUrl, readSettings } from '../environment.ts';
import { tableNotes, withTable } from './target.ts';

const usage = `Makes facts of everything that a table has, for the reports of a deployment. The stream brings only what happened after
--reports on. The command reads the whole table once. It may be repeated, because each fact counts once.

  npm run facts -- backfill --bucket BUCKET
`;

const options = {
  bucket: { type: 'string', value: 'BUCKET', words: 'the bucket of facts, the output FactsBucket of the deployment' },
  segments: { type: 'string', value: 'COUNT', words: 'parts of the table that are read simultaneously', default: '4' },
} as const;

const settings = v.object({
  bucket: v.pipe(v.string(), v.nonEmpty()),
  segments: v.pipe(v.string(), v.regex(/^[1-9]\d?$/), v.transform(Number)),
});

const environment = v.object({ FILES_ENDPOINT: v.optional(endpointUrl) });

await runCommand(
  { usage, options, positionals: { least: 1, most: 1 }, notes: tableNotes },
  ({ values, positionals: [verb = ''] }) => {
    if (verb !== 'backfill') throw new Misuse(`"${verb}" is not a verb of this command: write backfill.`);
    const checked = v.safeParse(settings, values);
    if (!checked.success) throw new Misuse('Name the bucket by --bucket, and 1 to 99 segments.');
    const { FILES_ENDPOINT } = readSettings(environment, process.env);
    const bucket = createFactBucket(createS3Client(FILES_ENDPOINT), checked.output.bucket);
    return withTable(process.env, {}, async ({ dynamodb, tableName, now }) => {
      let faults = 0;
      const note = ({ kind, error }: { kind: string; error: unknown }) => {
        faults += 1;
        process.stderr.write(`An item of the kind ${kind} makes no facts: ${JSON.stringify(error)}\n`);
      };
      const name = String(now.getTime());
      const { segments } = checked.output;
      const { items, facts } = await backfillFacts({ table: { dynamodb, tableName }, bucket, name, note, segments });
      const wrong = faults === 0 ? '' : ` ${faults} items make no facts.`;
      return `${items} items were read, and ${facts} facts were written. The packer packs them within hours.${wrong}\n`;
    });
  },
);

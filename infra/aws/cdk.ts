import { spawnSync } from 'node:child_process';
import { Complaint, type Options, runCommand } from '../command-line.ts';
import { announcementOf, refuseUnknown } from './cdk-options.ts';
import { refuseWithoutCredentials } from './credentials.ts';
import { deployOptions, readOptions } from './options.ts';
import { OptionsError } from './stages.ts';

const usage = `Creates the stack of a stage. synth writes its templates, offline. deploy creates the stack in the AWS account of the
environment's credentials.

  npm run synth -- --stage prod
  npm run deploy -- --stage prod --alarm-email ops@shop.example

A stage keeps its options in a committed file, stages.json: {"prod": {"alarm-email": "ops@shop.example"}}. An option of the
command line wins over the file, for this one deployment. A stage that the file does not declare is refused. All other
options go to the CDK.
`;

const output = {
  type: 'string',
  short: 'o',
  value: 'FOLDER',
  words: 'folder of the templates',
  default: 'cdk.out',
} as const;
const options = { ...deployOptions, output } satisfies Options;

await runCommand({ usage, options, handsOn: true }, async ({ values: { output: folder, ...chosen }, rest }) => {
  refuseUnknown(rest);
  try {
    readOptions(chosen);
  } catch (error) {
    throw error instanceof OptionsError
      ? new Complaint('The options are not valid:', error.message.split('\n'))
      : error;
  }
  if (rest[0] === 'deploy') await refuseWithoutCredentials(rest);
  process.stdout.write(announcementOf(rest, chosen.stage, folder));
  const context = Object.entries(chosen).flatMap(([name, value]) =>
    value === undefined ? [] : ['-c', `${name}=${value}`],
  );
  const { status } = spawnSync('cdk', [...rest, ...context, '--output', folder], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  if (status !== 0 || rest[0] !== 'synth') return undefined;
  return `The template is ${folder}/tessera.template.json; the templates of each family's functions are beside it, ${folder}/*.nested.template.json.\n`;
});

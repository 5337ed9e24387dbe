import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Complaint, type Options, runCommand } from '../command-line.ts';
import { askByCli } from './ask-aws.ts';
import { announceCommand, refuseUnknown } from './cdk-options.ts';
import { isFirstDeployment, listImportWarnings } from './first-deployment.ts';
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

function profileIn(commandLine: readonly string[]): string | undefined {
  const { values } = parseArgs({
    args: [...commandLine],
    options: { profile: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  return typeof values.profile === 'string' ? values.profile : undefined;
}

/**
 * Refuses a deployment without credentials before anything is bundled. The templates take a minute, and the CDK looks
 * for credentials only later.
 */
async function refuseWithoutCredentials(profile: string | undefined): Promise<void> {
  // The CDK looks in the same places: environment, profiles, and the machine's own role. No call is made.
  const client = new DynamoDBClient({ region: 'us-east-1', ...(profile === undefined ? {} : { profile }) });
  try {
    await client.config.credentials();
  } catch (error) {
    const of = profile === undefined ? '' : ` in the profile ${profile}`;
    throw new Complaint(`No AWS credentials were found${of}: nothing was deployed.`, [
      'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with `aws sso login`.',
      '`aws sts get-caller-identity` shows the identity that is used.',
      ...(error instanceof Error ? [error.message.split('\n')[0] ?? ''] : []),
    ]);
  } finally {
    client.destroy();
  }
}

await runCommand({ usage, options, handsOn: true }, async ({ values: { output: folder, ...chosen }, rest }) => {
  refuseUnknown(rest);
  try {
    readOptions(chosen);
  } catch (error) {
    throw error instanceof OptionsError
      ? new Complaint('The options are not valid:', error.message.split('\n'))
      : error;
  }
  const profile = profileIn(rest);
  const ask = askByCli(profile === undefined ? {} : { profile });
  const isDeployment = rest[0] === 'deploy';
  if (isDeployment) await refuseWithoutCredentials(profile);
  const isFirst = isDeployment && (await isFirstDeployment(ask, chosen.stage));
  process.stdout.write(announceCommand(rest, chosen.stage, folder));
  const context = Object.entries({ ...chosen, ...(isFirst ? { first: 'on' } : {}) }).flatMap(([name, value]) =>
    value === undefined ? [] : ['-c', `${name}=${value}`],
  );
  const { status } = spawnSync('cdk', [...rest, ...context, '--output', folder], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  if (status === 0 && isFirst) {
    for (const warning of await listImportWarnings(ask, chosen.stage)) process.stderr.write(`${warning}\n`);
  }
  if (status !== 0 || rest[0] !== 'synth') return undefined;
  return `The template is ${folder}/tessera.template.json; the templates of each family's functions are next to it, ${folder}/*.nested.template.json.\n`;
});

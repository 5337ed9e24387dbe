import { askByCli } from '../aws/ask-aws.ts';
import { deployOptions, readOptions } from '../aws/options.ts';
import { OptionsError } from '../aws/stages.ts';
import { Complaint, type Options, runCommand } from '../command-line.ts';

const usage = `Looks at an AWS account before a deployment, and changes nothing. It looks at credentials, region, bootstrap, quotas, mail
and certificate. Of the stack it looks at its state, at remains of an earlier stack, and at losses by the change set.
It prints each finding, with the command that mends it. It needs the AWS CLI.

  npm run doctor -- --stage prod
`;

const { stage, stages } = deployOptions;
const options = {
  stage,
  stages,
  profile: { type: 'string', value: 'NAME', words: 'the profile of the AWS CLI, instead of the default' },
} as const satisfies Options;

function readStage(values: { stage: string; stages: string }) {
  try {
    return readOptions(values);
  } catch (error) {
    throw error instanceof OptionsError
      ? new Complaint('The options of the stage are not valid:', error.message.split('\n'))
      : error;
  }
}

await runCommand({ usage, options }, async ({ values: { profile, ...chosen } }) => {
  const deployment = readStage(chosen);
  // Imported late, because the help must not wait for every operation.
  const { diagnose, writeFindings } = await import('./doctor/diagnose.ts');
  const ask = askByCli(profile === undefined ? {} : { profile });
  const findings = await diagnose(ask, deployment, new Date());
  const faults = findings.filter(({ level }) => level === 'fault').length;
  if (faults === 0) return writeFindings(findings);
  process.stdout.write(writeFindings(findings));
  throw new Complaint(
    `${faults} ${faults === 1 ? 'fault' : 'faults'} would stop or harm the deployment of ${chosen.stage}.`,
  );
});

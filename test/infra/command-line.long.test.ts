import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { bundleInSteps } from '../../infra/aws/bundle-progress.ts';
import { announceCommand, refuseUnknown } from '../../infra/aws/cdk-options.ts';
import { type Command, type Options, parseCall } from '../../infra/command-line.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { sampled } from '../support/sampled.ts';

/** Lists the programs of the project, each with the arguments of its script. */
const commands = Object.entries(packageFile.scripts).flatMap(([script, line]) => {
  const [node, ...program] = line.split(' ');
  return node === 'node' ? [{ script, program }] : [];
});

function call(program: string[], ...args: string[]) {
  return callIn(process.env, program, ...args);
}

function callIn(env: NodeJS.ProcessEnv, program: string[], ...args: string[]) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, [...program, ...args], { env }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

test('every command is tested', () => {
  expect(commands.map(({ script }) => script)).toEqual(
    expect.arrayContaining([
      'start',
      'bench',
      'costs',
      'words',
      'load-test',
      'openapi',
      'load',
      'export',
      'projects',
      'restore',
      'app-key',
      'jobs',
      'management-key',
      'doctor',
      'segments',
      'smoke',
      'synth',
      'deploy',
    ]),
  );
});

test.each(sampled(commands, 4))(
  'npm run $script explains itself with --help, and does nothing',
  async ({ script, program }) => {
    const { code, stdout, stderr } = await call(program, '--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(script === 'start' ? 'npm start' : `npm run ${script}`);
    expect(stdout).toContain('--help');
    expect(stdout).toContain('2 wrong command line');
  },
);

/** Leaves deploy out, so that a mistake of the test deploys nothing. It is the program of `synth`. */
const harmless = commands.filter(({ script }) => script !== 'deploy');

test.each(sampled(harmless, 4))('npm run $script refuses an unknown option, and ends with 2', async ({ program }) => {
  const { code, stdout, stderr } = await call(program, '--no-such-option');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Unknown option '--no-such-option'/);
  expect(stderr).toContain('--help');
  expect(stderr).not.toMatch(/^ +at /m);
});

test.each([
  ['', []],
  [' in the profile nobody', ['--profile', 'nobody']],
])('npm run deploy reports missing credentials%s before it bundles anything', async (of, options) => {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  const env = { ...Object.fromEntries(own), HOME: '/nowhere', AWS_EC2_METADATA_DISABLED: 'true' };
  // This app has nothing to deploy, even if credentials are found.
  const { code, stdout, stderr } = await callIn(env, ['infra/aws/cdk.ts', 'deploy'], '--app', 'false', ...options);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(new RegExp(`^No AWS credentials were found${of}: nothing was deployed`));
  expect(stderr).toContain('AWS_PROFILE');
});

test('npm run synth and npm run deploy begin with what they do', () => {
  expect(announceCommand(['synth'], 'prod', 'cdk.out')).toContain(
    'templates of stage prod to cdk.out, and sends nothing',
  );
  expect(announceCommand(['deploy'], 'prod', 'cdk.out')).toContain('the stack tessera-prod to CloudFormation');
});

test('a synthesis says how many functions it has bundled', async () => {
  const said: string[] = [];
  const names = Array.from({ length: 40 }, (_, index) => `function-${index}`);
  const bundle = async (some: readonly string[]) =>
    Object.fromEntries(some.map((name) => [name, { dir: name, gzipBytes: 1, sources: [] }]));
  const bundles = await bundleInSteps(names, bundle, (words) => said.push(words));
  expect(Object.keys(bundles)).toEqual(names);
  expect(said).toEqual([
    '16 of 40 functions are bundled.\n',
    '32 of 40 functions are bundled.\n',
    '40 of 40 functions are bundled.\n',
    "The templates are made and checked by AWS's rules.\n",
  ]);
});

test('a command before another program takes its own options, and passes the rest on in order', () => {
  const stage = { stage: { type: 'string', value: 'NAME', words: 'which one' } } as const;
  const command: Command<typeof stage & Options> = { usage: '', options: stage, handsOn: true };
  const given = ['tessera', '--stage', 'prod', '--no-execute', '-c', 'a=b', '--', '--stage'];
  const { values, rest } = parseCall(command, given);
  expect(values).toEqual({ stage: 'prod' });
  expect(rest).toEqual(['tessera', '--no-execute', '-c', 'a=b', '--', '--stage']);
  expect(parseCall(command, ['--stage=dev']).values).toEqual({ stage: 'dev' });
  expect(() => parseCall(command, ['--stage'])).toThrow('--stage');
  expect(() => parseCall(command, ['--stage', '--no-execute'])).toThrow('--stage');
});

test('an option of the CDK is passed on, and a misspelt option is refused', () => {
  refuseUnknown(['deploy', 'tessera', '--no-execute', '-c', 'a=b', '--require-approval=never', '-f', '--', '--any']);
  for (const wrong of ['--alarm-emial', '--managment-guard=keys', '--quiet', '-z']) {
    expect(() => refuseUnknown(['deploy', wrong, 'x'])).toThrow(wrong.replace('=keys', ''));
  }
});

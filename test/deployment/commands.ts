import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { Complaint } from '../../infra/command-line.ts';
import type { Emulator } from './emulator.ts';

/** Runs the project's commands and the CDK as an operator does, with the emulator in place of AWS. */

const root = join(import.meta.dirname, '../..');
const linesOfFailure = 40;

export interface Shell {
  readonly emulator: Emulator;
  /** Holds what the commands write. */
  readonly folder: string;
}

/** Returns the command's output. Throws a complaint with its last lines if it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd = root,
): Promise<string> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (text: string) => (output += text);
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const [code] = await once(child, 'close');
  if (code === 0) return output;
  throw new Complaint(
    `${[program, ...args].join(' ').slice(0, 200)} ended with ${code}:`,
    output.trimEnd().split('\n').slice(-linesOfFailure),
  );
}

export async function bootstrap({ emulator, folder }: Shell): Promise<void> {
  const cwd = join(folder, 'bootstrap');
  await mkdir(cwd, { recursive: true });
  await runProgram(
    join(root, 'node_modules/.bin/cdk'),
    ['bootstrap', `aws://000000000000/${emulator.region}`],
    emulator.env,
    cwd,
  );
}

const outputsShape = v.record(
  v.string(),
  v.looseObject({
    ApiUrl: v.string(),
    TableName: v.string(),
    FilesBucket: v.string(),
    DistributionDomain: v.optional(v.string()),
  }),
);

export type Outputs = v.InferOutput<typeof outputsShape>[string];

/** Deploys an assembly by the project's own command. Returns the outputs of the stack. */
export async function deploy({ emulator, folder }: Shell, stage: string, assembly: string): Promise<Outputs> {
  const outputsFile = join(folder, `${stage}-outputs.json`);
  const how = ['--app', assembly, '--require-approval', 'never', '--progress', 'events', '--outputs-file', outputsFile];
  const own = ['--stage', stage, '--output', join(folder, 'unused')];
  await runProgram(process.execPath, ['infra/aws/cdk.ts', 'deploy', ...own, ...how], emulator.env);
  const outputs = v.parse(outputsShape, JSON.parse(await readFile(outputsFile, 'utf8')))[`tessera-${stage}`];
  if (outputs === undefined) throw new Error(`the deployment of ${stage} printed no outputs`);
  return outputs;
}

/** Deletes the stack as the page on operations says. */
export async function destroy({ emulator }: Shell, stage: string, assembly: string): Promise<void> {
  const args = ['destroy', '-c', `stage=${stage}`, '--app', assembly, '--force'];
  await runProgram(join(root, 'node_modules/.bin/cdk'), args, emulator.env);
}

export interface Project {
  readonly id: string;
  readonly appId: string;
  readonly appToken: string;
}

/** Loads the first project as the README says. */
export async function loadProject(shell: Shell, table: string): Promise<Project> {
  const project = { id: 'proj_shop', appId: 'shop', appToken: randomBytes(32).toString('base64') };
  const file = join(shell.folder, `${table}.json`);
  const key = { app_id: project.appId, app_token: project.appToken, name: 'Checkout' };
  await writeFile(file, JSON.stringify({ project: { id: project.id, name: 'Shop' }, app_keys: [key] }));
  await runOperator(shell, ['infra/operator/load.ts', file], { TABLE_NAME: table });
  return project;
}

/** Runs a command of package.json that is a program of this folder tree. */
export async function runOperator(
  { emulator }: Shell,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  return await runProgram(process.execPath, args, { ...emulator.env, ...env });
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Complaint, Misuse, runCommand } from '../../infra/command-line.ts';
import { type Assembly, copyPatched } from './assembly.ts';
import { changeFunction } from './changed.ts';
import { Cloud } from './cloud.ts';
import { bootstrap, type Shell } from './commands.ts';
import { installEmulator, startEmulator } from './emulator.ts';
import { deleteStage } from './leftovers.ts';
import { notShown } from './not-shown.ts';
import { findClosedGaps, patches } from './patches.ts';
import { findPrevious, synthesisePrevious } from './previous.ts';
import { smoke, warmUp } from './smoke.ts';
import { createStage, type Stage, updateStage, type World } from './stage.ts';
import { askAsAgent, findCodes, generateCodes, hearByQueue, openPages, waitForSchedule } from './walk.ts';

const usage = `Deploys synthesised stages into an emulator of AWS on this machine, calls them, updates them and deletes them.
The emulator needs Python. Where none can be installed, the command says so, and deploys nothing.

  npm run deployment-test -- --dev FOLDER --prod FOLDER
`;

const options = {
  dev: { type: 'string', value: 'FOLDER', words: 'templates of the stage dev, from npm run synth' },
  prod: { type: 'string', value: 'FOLDER', words: 'templates of a protected stage prod, with every option' },
  previous: { type: 'boolean', words: 'also updates from the last release, or the last commit', default: false },
} as const;

const codes = 1_000;
const campaign = 'deployed';
const linesOfLog = 60;

const say = (line: string) => process.stdout.write(`${line}\n`);

const timed: World['timed'] = async (what, run) => {
  const from = performance.now();
  const result = await run();
  say(`${((performance.now() - from) / 1_000).toFixed(1).padStart(6)} s  ${what}`);
  return result;
};

/** Updates one function, and throws if another changes with it. */
async function updateOne(world: World, stage: Stage, templates: string, folder: string): Promise<void> {
  const before = await world.cloud.codeOf(stage.stack);
  await changeFunction(templates, join(folder, 'changed'), /^Get a voucher$/);
  const assembly = await copyPatched(join(folder, 'changed'), join(folder, 'changed-copy'), world.shell.emulator.port);
  await updateStage(world, stage, 'update one function', assembly);
  const after = await world.cloud.codeOf(stage.stack);
  const changed = [...after].filter(([name, code]) => before.get(name) !== code);
  if (changed.length !== 1) throw new Error(`the update has changed ${changed.length} functions, not one`);
}

/** Deploys the last release, and the present templates over its data. */
async function updateFromPrevious(world: World, present: Assembly, folder: string): Promise<string> {
  const commit = await findPrevious();
  if (commit === undefined) return 'no earlier commit';
  const templates = await timed('synthesise the release before', () => synthesisePrevious(commit, folder));
  const before = await copyPatched(templates, join(folder, 'copy'), world.shell.emulator.port);
  const stage = await createStage(world, 'dev', before);
  await timed(`${codes} codes`, () => generateCodes(stage, campaign, codes));
  await updateStage(world, stage, `update from ${commit.slice(0, 12)}`, present);
  await timed('data of the release before', () => findCodes(stage, campaign, codes));
  await deleteStage(world, { ...stage, assembly: present }, false);
  return 'update from the release before';
}

async function walkProd(stage: Stage): Promise<void> {
  await timed('/docs and /console', () => openPages(stage));
  await timed(`${codes} codes`, () => generateCodes(stage, campaign, codes));
  await timed('/mcp', () => askAsAgent(stage));
  await timed('a webhook into a queue', () => hearByQueue(stage, 'orders'));
  await timed('due work by its schedule', () => waitForSchedule(stage));
}

async function deployAll(shell: Shell, given: Given): Promise<string> {
  const { folder } = shell;
  const cloud = new Cloud(shell.emulator);
  const world: World = { shell, cloud, timed };
  try {
    const closed = await timed('gaps of the emulator', () => findClosedGaps(cloud));
    if (closed.length > 0) throw new Complaint('The emulator has closed gaps: remove their patches.', closed);
    await timed('bootstrap', () => bootstrap(shell));
    const dev = await copyPatched(given.dev, join(folder, 'dev'), shell.emulator.port);
    const prod = await copyPatched(given.prod, join(folder, 'prod'), shell.emulator.port);
    for (const [index, { gap }] of patches.entries())
      say(`patched ${(dev.patched[index] ?? 0) + (prod.patched[index] ?? 0)} times: ${gap}`);
    const first = await createStage(world, 'dev', dev);
    const second = await createStage(world, 'prod', prod);
    await timed('first calls of dev', () => warmUp(first));
    const calls = await timed('smoke of dev', () => smoke(first));
    await updateOne(world, first, given.dev, folder);
    await deleteStage(world, first, false);
    await timed('first calls of prod', () => warmUp(second));
    const callsOfProd = await timed('smoke of prod', () => smoke(second));
    await walkProd(second);
    await deleteStage(world, second, true);
    const updates = ['update of one function'];
    if (given.previous) updates.push(await updateFromPrevious(world, dev, join(folder, 'previous')));
    for (const line of notShown) say(`not shown: ${line}`);
    const made = `${dev.resources + prod.resources} resources`;
    const called = `${calls} of dev, ${callsOfProd} of prod`;
    return `deployed dev and prod into ministack: ${[made, called, ...updates, 'deletion'].join(', ')}\n`;
  } finally {
    cloud.close();
  }
}

interface Given {
  readonly dev: string;
  readonly prod: string;
  readonly previous: boolean;
}

async function withEmulator(given: Given): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-deployment-'));
  try {
    const python = join(folder, 'python');
    const lack = await timed('install the emulator', async () => installEmulator(python));
    if (lack !== undefined) return `no emulator could be installed, so nothing was deployed: ${lack}\n`;
    const emulator = await startEmulator({ python, folder: join(folder, 'emulator') });
    try {
      return await deployAll({ emulator, folder }, given);
    } catch (error) {
      const log = await readFile(emulator.logPath, 'utf8');
      process.stderr.write(`${log.trimEnd().split('\n').slice(-linesOfLog).join('\n')}\n`);
      throw error;
    } finally {
      await emulator.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

await runCommand({ usage, options }, async ({ values: { dev, prod, previous } }) => {
  if (dev === undefined || prod === undefined) throw new Misuse('--dev and --prod must name folders of templates.');
  return await withEmulator({ dev, prod, previous });
});

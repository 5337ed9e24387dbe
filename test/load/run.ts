import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { type Call, Misuse, runCommand } from '../../infra/command-line.ts';
import { audit } from './audit.ts';
import { Books } from './books.ts';
import { learn } from './learn.ts';
import { Recorder } from './recorder.ts';
import { asText, type Report, type RoundReport } from './report.ts';
import { runRound } from './round.ts';
import { type Memory, ServerProcess } from './server-process.ts';
import { shop } from './shop.ts';
import { Traffic } from './traffic.ts';

const usage = `Runs rounds of a shop's mixed traffic on the local server, on connections that are always busy. Exits with 1 if the budget
is broken. The budget allows no error and no growth of memory, and points and events must match the answers exactly.

  npm run load-test
`;

const options = {
  seconds: { type: 'string', value: 'N', words: 'of each round', default: '60' },
  rounds: { type: 'string', value: 'N', words: 'how many', default: '3' },
  'warm-up': { type: 'string', value: 'N', words: 'seconds before them, which count for errors only', default: '20' },
  connections: { type: 'string', value: 'N', words: 'each with one call at a time', default: '32' },
  json: { type: 'string', value: 'FILE', words: 'the figures as JSON, too' },
  profile: { type: 'string', value: 'FOLDER', words: 'for a CPU profile of the server' },
} as const;

/**
 * Caches are full after the warm-up. Later compilation and garbage collection move the heap by a megabyte or two. A round of 50,000 calls
 * that left 100 bytes each would exceed this limit.
 */
const heapGrowthLimit = 4 * 1024 * 1024;
/** A shorter run is still filling the heap with lasting data. */
const judgedFromSeconds = 30;

function settingsOf({ values }: Call<typeof options>) {
  const numbers = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    warmUpSeconds: Number(values['warm-up']),
    connections: Number(values.connections),
  };
  if (Object.values(numbers).some((value) => !(value > 0))) throw new Misuse('every number must be above 0');
  return { ...numbers, jsonPath: values.json, profileFolder: values.profile };
}

type Settings = ReturnType<typeof settingsOf>;

/** Returns the memory at the end, minus the least memory before. */
function growthOf(memories: readonly Memory[]): number {
  const held = memories.map(({ heapUsed, external }) => heapUsed + external);
  return (held.at(-1) ?? 0) - Math.min(...held.slice(0, -1));
}

async function underLoad(server: ServerProcess, settings: Settings): Promise<Report> {
  const { seconds, rounds, warmUpSeconds, connections } = settings;
  const { baseUrl, engine } = server;
  const books = new Books();
  const { draw } = new Traffic(books, await learn(baseUrl));
  const say = (line: string) => process.stdout.write(`${line}\n`);

  say(`${engine} at ${baseUrl}`);
  say(`warm-up: ${warmUpSeconds} s`);
  const warmUp = new Recorder();
  await runRound({ baseUrl, connections, seconds: warmUpSeconds, draw, recorder: warmUp });
  const memoryBefore = await server.memory();

  const all = new Recorder();
  const reports: RoundReport[] = [];
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}: ${seconds} s`);
    const recorder = new Recorder();
    await runRound({ baseUrl, connections, seconds, draw, recorder });
    reports.push({ name: `round ${round}`, ...recorder.total, memory: await server.memory() });
    all.add(recorder);
  }

  say('auditing');
  const audited = await audit(baseUrl, books);
  const logged = await server.errorsLogged();
  const heapGrowth = growthOf([memoryBefore, ...reports.map(({ memory }) => memory)]);
  const heapIsJudged = seconds >= judgedFromSeconds;
  const errors = warmUp.errors + all.errors;
  const { faults, points, ledgerEntries, activities } = audited;
  const broken = [
    ...(errors > 0 ? [`${errors} errors`, ...[...warmUp.faults, ...all.faults].map((fault) => `  ${fault}`)] : []),
    ...(logged.count > 0 ? [`${logged.count} errors in the server's log`, ...logged.first] : []),
    ...(heapIsJudged && heapGrowth > heapGrowthLimit ? ['heap and buffers have grown by more than the limit'] : []),
    ...faults,
  ];
  return {
    node: process.version,
    cpus: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    engine,
    connections,
    seconds,
    warmUpSeconds,
    heapGrowth,
    heapGrowthLimit,
    heapIsJudged,
    memoryBefore,
    rounds: reports,
    total: all.total,
    operations: Object.fromEntries(all.operations),
    audit: { faults, points, ledgerEntries, activities },
    broken,
  };
}

await runCommand({ usage, options }, async (call) => {
  const settings = settingsOf(call);
  const starting = ServerProcess.start(shop(), settings.profileFolder);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => starting.then((started) => started.stop()).finally(() => process.exit(1)));
  }
  const server = await starting;
  try {
    const report = await underLoad(server, settings);
    const exitCode = await server.stop();
    if (exitCode !== 0) report.broken.push(`the server ended with ${exitCode}`);
    process.stdout.write(`\n${asText(report)}`);
    if (settings.jsonPath !== undefined) await writeFile(settings.jsonPath, `${JSON.stringify(report, null, 2)}\n`);
    if (report.broken.length > 0) process.exitCode = 1;
  } finally {
    await server.stop();
    await server.closeLog();
  }
  return undefined;
});

import { join } from 'node:path';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as v from 'valibot';
import { type Bundle, bundleFile, bundleFunctions } from '../../infra/aws/bundle.ts';
import type { Operation } from '../../infra/operations.ts';
import type { Dependencies } from '../../lib/http/composition.ts';
import { CredentialCache } from '../../lib/http/credential-cache.ts';
import { RateLimiter } from '../../lib/http/rate-limit.ts';
import { median, percentile } from './benchmark.ts';
import { aboutTable, recordingClient, type Wave } from './recorder.ts';
import { startSide } from './sides/side.ts';
import { eventOf, type Subject, type World } from './subjects.ts';

const sides = join(import.meta.dirname, 'sides');

/** Each has a median of its own, and the ratio is the median of theirs; their spread is the machine's noise. */
export const rounds = 5;
/** `BENCH_TURNS=16` takes others, for a machine that has no time. */
export const turnsPerRound = Number(process.env.BENCH_TURNS ?? 40);
/** Not measured: both sides compile, and the function reads its credentials. */
export const warmUpTurns = Math.min(50, rounds * turnsPerRound);

/** Three tables that begin alike. Where nothing is written they may be one. */
export interface Tables {
  /** The endpoint runs on it from its sources, so that what it sends is known. */
  recorded: string;
  /** The bundled function runs on it, in a process of its own. */
  function: string;
  /** The recorded commands are sent to it, bare. */
  floor: string;
}

export type Bundles = Readonly<Record<string, Bundle>>;

/** Of the functions that are measured. The floor is bundled as they are: the SDK in it is the same code, faster or slower. */
export async function bundleBoth(workDir: string, measured: readonly Operation[]): Promise<Bundles> {
  const floor = await bundleFile(join(sides, 'floor.ts'), join(workDir, 'floor'));
  const names = new Set(measured.map(({ name }) => name));
  return { ...(await bundleFunctions(workDir, [...names])), floor };
}

/** Where the bundle begins, and an error where there is none. */
export function entryOf(bundles: Bundles, name: string): string {
  const bundle = bundles[name];
  if (!bundle) throw new Error(`there is no bundle of ${name}`);
  return join(bundle.dir, 'index.mjs');
}

export interface Contest {
  /** The engine's. */
  endpoint: string;
  tables: Tables;
  operation: Operation;
  subject: Subject;
  world: World;
  /** Of the operation and of the floor. */
  bundles: Bundles;
}

export interface Comparison {
  /** Of all turns, in milliseconds. */
  ours: { p50: number; p99: number };
  floor: { p50: number; p99: number };
  /** Of the median times; `undefined` where there is no floor, for the endpoint sends nothing. */
  ratio: { median: number; least: number; most: number } | undefined;
  calls: number;
  /** Calls that wait for each other. */
  trips: number;
  /** Processor time of the function's process, in milliseconds. */
  cpuMs: number;
  readUnits: number;
  writeUnits: number;
}

/** The time that a function has left, as Lambda tells it. */
export const lambdaContext = { getRemainingTimeInMillis: () => 20_000 } as Context;

const turnReply = v.object({ milliseconds: v.number() });
const functionReply = v.object({ milliseconds: v.number(), cpuMilliseconds: v.number(), status: v.number() });

/** Of a function's log, what a request cost. */
export const logLine = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ dynamodb_calls: v.number(), read_units: v.number(), write_units: v.number() }),
);

export function recordingDependencies(tableName: string, dynamodb: Dependencies['dynamodb']): Dependencies {
  return {
    dynamodb,
    tableName,
    clock: () => new Date(),
    log: () => {},
    credentialCache: new CredentialCache(),
    managementGuard: 'iam',
    rateLimiter: new RateLimiter(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  };
}

/** The environment that the deployed function has. */
function functionEnvironment(endpoint: string, tableName: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: endpoint,
    RATE_LIMIT_PER_MINUTE: '999999999',
    MANAGEMENT_GUARD: 'iam',
  };
}

/** A container of the bundled function. */
export function startFunction(endpoint: string, tableName: string, file: string) {
  return startSide<APIGatewayProxyEventV2, typeof functionReply>(
    join(sides, 'function.ts'),
    [file],
    functionReply,
    functionEnvironment(endpoint, tableName),
  );
}

/** Of two that took turns: their medians round by round. */
export function ratioOf(ours: readonly number[][], floor: readonly number[][]) {
  const ratios = ours.map((times, round) => median(times) / median(floor[round] ?? []));
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

/**
 * The function through its bundle beside the same DynamoDB commands sent bare, on the same data: in turns, each first as often
 * as the other, so that whatever else the machine does falls on both. A wrong status ends it.
 */
export async function compare({ endpoint, tables, operation, subject, world, bundles }: Contest): Promise<Comparison> {
  const { name, handler, route } = operation;
  const recorder = recordingClient(endpoint);
  const record = handler.with(recordingDependencies(tables.recorded, recorder.dynamodb));
  const ours = startFunction(endpoint, tables.function, entryOf(bundles, name));
  const floor = startSide<Wave[], typeof turnReply>(entryOf(bundles, 'floor'), [endpoint], turnReply);
  const expected = subject.status ?? route.reply.status;
  let turn = 0;
  const trips: number[] = [];
  const cpuMs: number[] = [];

  async function takeTurn(): Promise<{ ours: number; floor: number }> {
    const request = () => eventOf(operation, subject, turn, world);
    await record(request(), lambdaContext);
    const waves = aboutTable(recorder.taken(), tables.recorded, tables.floor);
    trips.push(waves.length);
    const bare = async () => (await floor.take(waves)).milliseconds;
    const whole = async () => {
      const { milliseconds, cpuMilliseconds, status } = await ours.take(request());
      cpuMs.push(cpuMilliseconds);
      if (status !== expected) throw new Error(`${name} answered ${status}: ${ours.printed().at(-1)}`);
      return milliseconds;
    };
    turn += 1;
    if (turn % 2 === 0) {
      const time = await whole();
      return { ours: time, floor: await bare() };
    }
    const time = await bare();
    return { ours: await whole(), floor: time };
  }

  try {
    for (let count = 0; count < warmUpTurns; count++) await takeTurn();
    ours.printed();
    const times: { ours: number[][]; floor: number[][] } = { ours: [], floor: [] };
    for (let round = 0; round < rounds; round++) {
      const taken = [];
      for (let count = 0; count < turnsPerRound; count++) taken.push(await takeTurn());
      times.ours.push(taken.map((one) => one.ours));
      times.floor.push(taken.map((one) => one.floor));
    }
    await ours.stop();
    const lines = ours.printed().map((line) => v.parse(logLine, line));
    const summary = (values: readonly number[]) => ({ p50: median(values), p99: percentile(values, 0.99) });
    const calls = median(lines.map(({ dynamodb_calls }) => dynamodb_calls));
    return {
      ours: summary(times.ours.flat()),
      floor: summary(times.floor.flat()),
      ratio: calls === 0 ? undefined : ratioOf(times.ours, times.floor),
      calls,
      trips: median(trips),
      cpuMs: median(cpuMs.slice(warmUpTurns)),
      readUnits: median(lines.map(({ read_units }) => read_units)),
      writeUnits: median(lines.map(({ write_units }) => write_units)),
    };
  } finally {
    await Promise.all([ours.stop(), floor.stop()]);
    recorder.close();
  }
}

import { join } from 'node:path';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import * as v from 'valibot';
import type { Dependencies } from '#kernel/http/composition.ts';
import { CredentialCache } from '#kernel/http/credential-cache.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { functionNameOf } from '../../infra/aws/shared-families.ts';
import type { Operation } from '../../infra/operations.ts';
import { isLong, median, percentile, sizeOf } from './benchmark.ts';
import { type Bundles, entryOf } from './function-bundles.ts';
import { aboutTable, recordingClient, type Wave } from './recorder.ts';
import { startSide } from './sides/side.ts';
import { eventOf, isList, type Subject, type World } from './subjects.ts';
import type { Place } from './tables.ts';

export interface Turns {
  /** These turns are not measured. Both sides compile, and the function reads its credentials. */
  warmUp: number;
  perRound: number;
  rounds: number;
}

/** There are hundreds of subjects, and minutes for all of them. `BENCH_TURNS=20` sets another length of rounds. */
export const judged: Turns = {
  warmUp: sizeOf({ trial: 0, usual: 30, long: 50 }),
  perRound: Number(process.env.BENCH_TURNS ?? sizeOf({ trial: 1, usual: 8, long: 40 })),
  /** Each round has its own median. The ratio is the median of theirs, and their spread is the machine's noise. */
  rounds: sizeOf({ trial: 1, usual: 5 }),
};
/** The turns of a list page. Most subjects are lists. */
const judgedList: Turns = sizeOf({ trial: judged, usual: { ...judged, warmUp: 16, rounds: 3 }, long: judged });
/** The turns of a subject without a limit. */
const shown: Turns = sizeOf({ trial: judged, usual: { warmUp: 6, perRound: 4, rounds: 2 }, long: judged });
/** Returns the turns of a subject. A list page and a subject without a limit have fewer. */
export function turnsOf(operation: Operation, { maxRatio }: Subject): Turns {
  return maxRatio === undefined ? shown : isList(operation) ? judgedList : judged;
}

/**
 * Warm-up turns before processor time is judged. Containers serve thousands of calls, and V8 compiles frequent code after some hundreds.
 */
export const warm = sizeOf({ trial: 0, usual: 200 });
/** The longest time in seconds for a slow subject's warm-up, and again for its turns. Each round has at least one turn. */
const maxSeconds = isLong ? 600 : 3;

/** Returns whether turns that began then have had their time. */
export const isEnough = (startedAt: number) => performance.now() - startedAt > maxSeconds * 1_000;
const told = ({ rounds, perRound, warmUp }: Turns) => `${rounds} of ${perRound} after ${warmUp}`;
export const inWords = `medians of ${judged.rounds} rounds of ${judged.perRound} turns, after ${judged.warmUp} of warm-up; of a list ${told(judgedList)}; without a limit ${told(shown)}`;

/** Three tables with equal contents. A subject that writes nothing may use one table for all. */
interface Tables {
  /** The endpoint runs on it from its sources, which reveals its commands. */
  recorded: Place;
  /** The bundled function runs on it in a separate process. */
  function: Place;
  /** The recorded commands are sent to it without our code. */
  floor: Place;
}

export interface Contest {
  tables: Tables;
  operation: Operation;
  subject: Subject;
  world: World;
  /** The bundles of the operation and of the floor. */
  bundles: Bundles;
}

export interface Comparison {
  /** Times of all turns, in milliseconds. */
  ours: { p50: number; p99: number };
  floor: { p50: number; p99: number };
  /** The ratio of the median times. It is `undefined` for an endpoint that sends nothing, which has no floor. */
  ratio: ReturnType<typeof ratioOf> | undefined;
  calls: number;
  /** The calls that wait for each other. */
  trips: number;
  /** Processor time of each side's process, in milliseconds. */
  cpuMs: number;
  floorCpuMs: number;
  readUnits: number;
  writeUnits: number;
}

/** The time left for a function, as Lambda reports it. */
export const lambdaContext = { getRemainingTimeInMillis: () => 20_000 } as Context;

const turnReply = v.object({ milliseconds: v.number(), cpuMilliseconds: v.number() });
const functionReply = v.object({ ...turnReply.entries, status: v.number() });

/** The cost of a request in a function's log. */
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

/** Returns the environment of the deployed function. */
function functionEnvironment(endpoint: string, tableName: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    TABLE_NAME: tableName,
    DYNAMODB_ENDPOINT: endpoint,
    RATE_LIMIT_PER_MINUTE: '999999999',
    MANAGEMENT_GUARD: 'iam',
  };
}

/** Starts a container of the bundled function. */
export function startFunction(endpoint: string, tableName: string, file: string) {
  return startSide<APIGatewayProxyEventV2, typeof functionReply>(
    join(import.meta.dirname, 'sides', 'function.ts'),
    [file],
    functionReply,
    functionEnvironment(endpoint, tableName),
  );
}

/** Returns the ratio of two sides that took turns, by the medians of each round. */
export function ratioOf(ours: readonly number[][], floor: readonly number[][]) {
  const ratios = ours.map((times, round) => median(times) / median(floor[round] ?? []));
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios), rounds: ratios.length };
}

/**
 * Compares the bundled function with its own DynamoDB commands, sent bare on the same data. Both sides alternate, also
 * in which of them is first, so that other work of the machine slows both alike. A wrong status ends the comparison.
 */
export async function compare({ tables, operation, subject, world, bundles }: Contest): Promise<Comparison> {
  const { handler, route } = operation;
  const recorder = recordingClient(tables.recorded.endpoint);
  const record = handler.with(recordingDependencies(tables.recorded.tableName, recorder.dynamodb));
  const ours = startFunction(
    tables.function.endpoint,
    tables.function.tableName,
    entryOf(bundles, functionNameOf(operation)),
  );
  const floor = startSide<Wave[], typeof turnReply>(entryOf(bundles, 'floor'), [tables.floor.endpoint], turnReply);
  const expected = subject.status ?? route.reply.status;
  let turn = 0;
  const trips: number[] = [];
  const cpu = { ours: [] as number[], floor: [] as number[] };
  const turns = turnsOf(operation, subject);
  /** The commands of a warm function by request. A function that only reads sends the same ones each time. */
  const known = new Map<string, Wave[]>();
  let isWarm = false;

  async function wavesOf(request: APIGatewayProxyEventV2): Promise<Wave[]> {
    const asked = JSON.stringify({ ...request, requestContext: undefined });
    const same = isWarm && route.access !== 'write' ? known.get(asked) : undefined;
    if (same) return same;
    await record(request, lambdaContext);
    const waves = aboutTable(recorder.taken(), tables.recorded.tableName, tables.floor.tableName);
    known.set(asked, waves);
    return waves;
  }

  async function takeTurn({ atOnce = false } = {}): Promise<{ ours: number; floor: number }> {
    const request = () => eventOf(operation, subject, turn, world);
    const waves = await wavesOf(request());
    trips.push(waves.length);
    const bare = async () => {
      const { milliseconds, cpuMilliseconds } = await floor.take(waves);
      cpu.floor.push(cpuMilliseconds);
      return milliseconds;
    };
    const whole = async () => {
      const { milliseconds, cpuMilliseconds, status } = await ours.take(request());
      cpu.ours.push(cpuMilliseconds);
      if (status !== expected) throw new Error(`${operation.name} answered ${status}: ${ours.printed().at(-1)}`);
      return milliseconds;
    };
    turn += 1;
    if (atOnce) {
      const [time, floor] = await Promise.all([whole(), bare()]);
      return { ours: time, floor };
    }
    if (turn % 2 === 0) {
      const time = await whole();
      return { ours: time, floor: await bare() };
    }
    const time = await bare();
    return { ours: await whole(), floor: time };
  }

  try {
    const warmsFrom = performance.now();
    const warmUp = subject.maxCpuRatio === undefined ? turns.warmUp : warm;
    for (let count = 0; count < warmUp && (warmUp === warm || !isEnough(warmsFrom)); count++) {
      await takeTurn({ atOnce: true });
    }
    isWarm = true;
    const startedAt = performance.now();
    ours.printed();
    for (const times of [trips, cpu.ours, cpu.floor]) times.length = 0;
    const times: { ours: number[][]; floor: number[][] } = { ours: [], floor: [] };
    for (let round = 0; round < turns.rounds; round++) {
      if (round > 0 && isEnough(startedAt)) break;
      const taken = [];
      for (let count = 0; count < turns.perRound; count++) taken.push(await takeTurn());
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
      cpuMs: median(cpu.ours),
      floorCpuMs: median(cpu.floor),
      readUnits: median(lines.map(({ read_units }) => read_units)),
      writeUnits: median(lines.map(({ write_units }) => write_units)),
    };
  } finally {
    await Promise.all([ours.stop(), floor.stop()]);
    recorder.close();
  }
}

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { median } from './benchmark.ts';
import { isEnough, judged, logLine, ratioOf, startFunction } from './compare.ts';

/** The highest cost of a request on the longest list, in units and in time, as a multiple of its cost on the shortest. */
const maxGrowth = 1.2;

/** A table with lists of one length. */
export interface Sized {
  readonly size: number;
  readonly tableName: string;
}

export interface Growth<T extends Sized> {
  readonly endpoint: string;
  /** The file of the function's bundle. */
  readonly file: string;
  /** From the shortest to the longest. */
  readonly filled: readonly T[];
  readonly request: (on: T, turn: number) => APIGatewayProxyEventV2;
}

interface Grown {
  /** Columns of a row. The figures of several tables begin with the shortest list. */
  values: Record<string, string>;
  broken: string[];
  /** Calls and write units of a request, from the shortest list to the longest. */
  calls: number[];
  writes: number[];
}

const through = (figures: readonly number[], digits = 0) => figures.map((one) => one.toFixed(digits)).join(', ');

/**
 * Runs the function on all tables in turns, so that other work of the machine slows all alike. Compares the costs on the last table with
 * those on the first.
 */
export async function growthOf<T extends Sized>({ endpoint, file, filled, request }: Growth<T>): Promise<Grown> {
  const sides = filled.map(({ tableName }) => startFunction(endpoint, tableName, file));
  const times = sides.map((): number[][] => []);
  try {
    let startedAt = performance.now();
    for (let turn = -judged.warmUp; turn < judged.rounds * judged.perRound; turn++) {
      if (turn < 0 && isEnough(startedAt)) turn = 0;
      if (turn === 0) {
        for (const side of sides) side.printed();
        startedAt = performance.now();
      }
      if (turn > 0 && turn % judged.perRound === 0 && isEnough(startedAt)) break;
      for (const [index, on] of filled.entries()) {
        const reply = await sides[index]?.take(request(on, turn + judged.warmUp));
        if (reply?.status !== 200) throw new Error(`answered with ${reply?.status}: ${sides[index]?.printed().at(-1)}`);
        if (turn < 0) continue;
        if (turn % judged.perRound === 0) times[index]?.push([]);
        times[index]?.at(-1)?.push(reply.milliseconds);
      }
    }
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
  const lines = sides.map((side) => side.printed().map((line) => v.parse(logLine, line)));
  const reads = lines.map((some) => median(some.map(({ read_units }) => read_units)));
  const writes = lines.map((some) => median(some.map(({ write_units }) => write_units)));
  const calls = lines.map((some) => median(some.map(({ dynamodb_calls }) => dynamodb_calls)));
  const units = reads.map((one, index) => one + (writes[index] ?? 0));
  const inUnits = (units.at(-1) ?? 0) / (units[0] ?? 0);
  const inTime = ratioOf(times.at(-1) ?? [], times[0] ?? []);
  return {
    calls,
    writes,
    values: {
      calls: through(calls),
      'read units': through(reads, 1),
      'write units': through(writes),
      'p50 ms': through(
        times.map((all) => median(all.flat())),
        1,
      ),
      'units to the shortest': inUnits.toFixed(2),
      'time to the shortest': inTime.median.toFixed(2),
      'its rounds': `${inTime.least.toFixed(2)}-${inTime.most.toFixed(2)}`,
    },
    broken: [
      ...(inUnits > maxGrowth ? [`units grow by more than ${maxGrowth}`] : []),
      ...(inTime.median > maxGrowth ? [`time grows by more than ${maxGrowth}`] : []),
    ],
  };
}

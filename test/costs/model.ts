import { assumed } from './assumptions.ts';
import type { CallFigures } from './figures.ts';
import { cost, gigabyte, million } from './prices.ts';

/** Holds the dollars of a million calls. Each part is rounded as the page shows it, so that the total is their sum. */
export interface MillionCalls {
  ms: number;
  gateway: number;
  lambda: number;
  table: number;
  logs: number;
  out: number;
  total: number;
}

export type Billed = Omit<CallFigures, 'name' | 'isFirst' | 'bundleKb'>;

export const cents = (dollars: number) => Math.round(dollars * 100) / 100;
export const sum = (values: readonly number[]) => cents(values.reduce((all, one) => all + one, 0));

/** Returns what Lambda charges for so many calls of a function, without starts of containers. */
export function lambdaCost(calls: number, memoryMb: number, ms: number): number {
  return cost('lambdaRequest', calls) + cost('lambdaSecond', (calls * memoryMb * ms) / 1_024 / 1_000);
}

/** Returns the time of a call in a warm container. The call waits for the table, and computes with its share of a core. */
export function millisecondsOf({ memoryMb, rounds, calls }: Billed): number {
  const share = Math.min(1, memoryMb / assumed('coreMb'));
  return Math.round(rounds * assumed('tableCallMs') + (assumed('requestMs') + calls * assumed('callMs')) / share);
}

export function millionCalls(figures: Billed): MillionCalls {
  const { memoryMb, readUnits, writeUnits, logBytes, replyBytes } = figures;
  const ms = millisecondsOf(figures);
  const billedMs = ms + assumed('coldShare') * assumed('coldMs');
  const parts = {
    gateway: cents(cost('gatewayRequest', million)),
    lambda: cents(lambdaCost(million, memoryMb, billedMs)),
    table: cents(cost('readUnit', readUnits * million) + cost('writeUnit', writeUnits * million)),
    logs: cents(cost('logIngestion', ((logBytes + assumed('otherLogBytes')) * million) / gigabyte)),
    out: cents(cost('transferOut', ((replyBytes + assumed('headerBytes')) * million) / gigabyte)),
  };
  return { ms, ...parts, total: sum(Object.values(parts)) };
}

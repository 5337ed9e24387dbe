import type { Attempt, Health } from './delivery.ts';

/** Defines when deliveries are tried again. */

const minuteInMs = 60_000;
const dayInMs = 24 * 60 * minuteInMs;

/** Waits of the twelve retries: doubling minutes up to 17 hours and 4 minutes, and finally a day. */
const waitsInMs: readonly number[] = [...Array.from({ length: 11 }, (_, index) => 2 ** index * minuteInMs), dayInMs];

/** Attempts of a delivery: the first, and twelve retries. */
export const maxTries = waitsInMs.length + 1;

/** Reads a header `Retry-After`: seconds, or a date. */
function retryAfterInMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now.getTime();
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), dayInMs) : 0;
}

/** Returns the time of the next attempt after `tries` attempts, or `undefined` after the last attempt. */
export function nextAttempt(tries: number, now: Date, retryAfter?: string): Date | undefined {
  const wait = waitsInMs[tries - 1];
  return wait === undefined ? undefined : new Date(now.getTime() + Math.max(wait, retryAfterInMs(retryAfter, now)));
}

/**
 * After this number of consecutive failures, of any deliveries, a target gets one request at a time. A target that
 * fails half of the time reaches this number once in a billion requests.
 */
export const failuresToOpen = 30;
const longestOpenInMs = 8 * minuteInMs;

/**
 * Returns until when nothing is sent to a target with this number of consecutive failures. Only failed probes make the
 * time longer, because many requests may be in flight when the circuit opens.
 */
export function openUntil({ failures, probes }: Pick<Health, 'failures' | 'probes'>, now: Date): Date | undefined {
  if (failures < failuresToOpen) return undefined;
  return new Date(now.getTime() + Math.min(longestOpenInMs, minuteInMs * 2 ** probes));
}

export function isOpen({ open_until }: Health, now: Date): boolean {
  return open_until !== undefined && open_until > now.toISOString();
}

/** Returns whether the attempt counts as a failure of the target. A refusal of a single event does not. */
export function showsIllness({ status }: Pick<Attempt, 'status'>): boolean {
  return status === null || status === undefined || status >= 500 || status === 429;
}

const graceInMs = 5 * minuteInMs;
const mostDoublings = 5;

/**
 * Returns when the sweep sends the message of a delivery again, because the first message may be lost. A queue never
 * returns a message that only waits, so the time doubles with each message, up to 2 hours and 40 minutes.
 */
export function graceAfter(at: Date, sweeps = 0): Date {
  return new Date(at.getTime() + graceInMs * 2 ** Math.min(sweeps, mostDoublings));
}

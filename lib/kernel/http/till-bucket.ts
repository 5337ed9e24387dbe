/**
 * Calculates the calls in a project's bucket. The bucket has eight copies, each with an eighth of the rate, so that no
 * item is written too often. A copy stores a single time, up to which its calls are given away. An update therefore
 * needs no read before it, and a new rate needs no new item. Times are microseconds since 1970.
 */

export const copies = 8;

const second = 1_000_000;
export const leaseLifeInMs = 100;
const leasesInSecond = 1_000 / leaseLifeInMs;

export function inMicroseconds(time: Date): number {
  return time.getTime() * 1_000;
}

/** Returns the time in which one copy earns this number of calls. */
export function earningTime(calls: number, rate: number): number {
  return Math.ceil((calls * copies * second) / rate);
}

/** Returns the time for which a copy saves unused calls: a second, or the time in which it earns one call. */
export function savingTime(rate: number): number {
  return Math.max(second, earningTime(1, rate));
}

/** Returns whether the copy has saved as many calls as it may. Calls that it earned earlier are lost. */
export function isFull(givenUpTo: number | undefined, now: number, rate: number): boolean {
  return givenUpTo === undefined || givenUpTo < now - savingTime(rate);
}

/** Returns the time from which the copy's calls count. */
function savedSince(givenUpTo: number | undefined, now: number, rate: number): number {
  return Math.max(givenUpTo ?? 0, now - savingTime(rate));
}

/** Returns the number of calls that the copy can give. */
export function callsIn(givenUpTo: number | undefined, now: number, rate: number): number {
  const saved = now - savedSince(givenUpTo, now, rate);
  return Math.max(0, Math.floor((saved * rate) / (copies * second)));
}

/** Returns the time up to which the copy's calls are given away, after it gives `calls` of its calls. */
export function givenAfter(givenUpTo: number | undefined, calls: number, now: number, rate: number): number {
  return savedSince(givenUpTo, now, rate) + earningTime(calls, rate);
}

/** Calls that a container has taken together, to serve them without another write. */
export interface Lease {
  readonly size: number;
  readonly untilInMs: number;
  left: number;
}

/** Returns the largest lease: the calls of a tenth of a second, so that one container leaves some for others. */
export function largestLease(rate: number): number {
  return Math.max(1, Math.floor(rate / leasesInSecond));
}

/**
 * Returns the calls of the next lease. Doubles a lease that was used up in its time. After any other lease, returns the
 * number that was needed, because unused calls are lost.
 */
export function nextSize(last: Lease | undefined, nowInMs: number, rate: number): number {
  if (!last) return 1;
  const isFast = last.left === 0 && nowInMs < last.untilInMs;
  const wanted = isFast ? 2 * last.size : last.size - last.left;
  return Math.min(Math.max(1, wanted), largestLease(rate));
}

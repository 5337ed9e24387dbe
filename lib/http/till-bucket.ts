/**
 * Says how many calls a project's bucket has. The bucket has eight copies, each with an eighth of the rate, so that no item is written too often.
 * A copy stores one time, up to which its calls are given away. So an update needs no read before it, and another rate needs no other item.
 * Times are microseconds since 1970.
 */

export const copies = 8;

const second = 1_000_000;
export const leaseLifeInMs = 100;
const leasesInSecond = 1_000 / leaseLifeInMs;

export function inMicroseconds(time: Date): number {
  return time.getTime() * 1_000;
}

/** Returns the time in which one copy earns so many calls. */
export function earningTime(calls: number, rate: number): number {
  return Math.ceil((calls * copies * second) / rate);
}

/** Returns for how long a copy saves what nobody takes: a second, or as long as one call takes. */
export function savingTime(rate: number): number {
  return Math.max(second, earningTime(1, rate));
}

/** Returns whether the copy has saved all that it may: what it earned before is lost. */
export function isFull(givenUpTo: number | undefined, now: number, rate: number): boolean {
  return givenUpTo === undefined || givenUpTo < now - savingTime(rate);
}

/** Returns the time from which the copy's calls count. */
function savedSince(givenUpTo: number | undefined, now: number, rate: number): number {
  return Math.max(givenUpTo ?? 0, now - savingTime(rate));
}

/** Returns how many calls the copy can give. */
export function callsIn(givenUpTo: number | undefined, now: number, rate: number): number {
  const saved = now - savedSince(givenUpTo, now, rate);
  return Math.max(0, Math.floor((saved * rate) / (copies * second)));
}

/** Returns up to when the copy's calls are given away after so many, of those that it has. */
export function givenAfter(givenUpTo: number | undefined, calls: number, now: number, rate: number): number {
  return savedSince(givenUpTo, now, rate) + earningTime(calls, rate);
}

/** Calls that a container has taken at once, to serve without another write. */
export interface Lease {
  readonly size: number;
  readonly untilInMs: number;
  left: number;
}

/** Returns the most calls of one lease: a tenth of a second's, so that one container leaves something for others. */
export function largestLease(rate: number): number {
  return Math.max(1, Math.floor(rate / leasesInSecond));
}

/**
 * Returns the calls of the next lease. It doubles a lease that was used up in its time. After any other it asks for the number that was
 * needed, because unused calls are lost.
 */
export function nextSize(last: Lease | undefined, nowInMs: number, rate: number): number {
  if (!last) return 1;
  const isFast = last.left === 0 && nowInMs < last.untilInMs;
  const wanted = isFast ? 2 * last.size : last.size - last.left;
  return Math.min(Math.max(1, wanted), largestLease(rate));
}

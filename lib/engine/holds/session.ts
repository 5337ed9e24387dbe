import { randomBytes } from 'node:crypto';

/** Decides the key and the life of a session. */

const msPerUnit = {
  DAYS: 86_400_000,
  HOURS: 3_600_000,
  MINUTES: 60_000,
  SECONDS: 1_000,
  MILLISECONDS: 1,
  MICROSECONDS: 1e-3,
  NANOSECONDS: 1e-6,
} as const;

type SessionUnit = keyof typeof msPerUnit;

const minutesOfPage = 15;
const daysOfServer = 30;

/** Limits the life of sessions of servers and of browsers. */
export const longestSession = {
  server: { inMs: daysOfServer * msPerUnit.DAYS, words: `${daysOfServer} days` },
  page: { inMs: minutesOfPage * msPerUnit.MINUTES, words: `${minutesOfPage} minutes` },
} as const;

/** A session in the form of a request. */
export interface SentSession {
  readonly key?: string | null | undefined;
  readonly ttl?: number | null | undefined;
  readonly ttl_unit?: SessionUnit | null | undefined;
}

export interface Session {
  readonly key: string;
  readonly ttl: number;
  readonly ttl_unit: SessionUnit;
  /** The page that requests the session. */
  readonly page?: string | undefined;
  /** The end, within four-digit years. */
  readonly until: string;
}

const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Makes a key of 128 random bits, in 32 hexadecimal digits. */
function newSessionKey(): string {
  return `ssn_${randomBytes(16).toString('hex')}`;
}

const usual = {
  server: { amount: 7, unit: 'DAYS' },
  page: { amount: minutesOfPage, unit: 'MINUTES' },
} as const;

/**
 * Returns the life in milliseconds, or `undefined` if the request does not name it. A unit without a number means 1.
 */
export function readLifeInMs({ ttl, ttl_unit }: SentSession): number | undefined {
  if (!ttl && !ttl_unit) return undefined;
  return Math.ceil((ttl ?? 1) * msPerUnit[ttl_unit ?? 'DAYS']);
}

/**
 * Returns the session. It lasts 7 days by default, and 15 minutes for a browser. A part of a millisecond counts as a
 * whole millisecond.
 */
export function makeSession({ key, ttl, ttl_unit }: SentSession, now: Date, page?: string): Session {
  const { amount, unit } = usual[page === undefined ? 'server' : 'page'];
  const lifeInMs = readLifeInMs({ ttl, ttl_unit }) ?? amount * msPerUnit[unit];
  const until = new Date(Math.min(now.getTime() + lifeInMs, lastMoment)).toISOString();
  return {
    key: key ?? newSessionKey(),
    ...(ttl || ttl_unit ? { ttl: ttl ?? 1, ttl_unit: ttl_unit ?? 'DAYS' } : { ttl: amount, ttl_unit: unit }),
    ...(page === undefined ? {} : { page }),
    until,
  };
}

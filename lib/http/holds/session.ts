import { randomBytes } from 'node:crypto';

/** For how long a session keeps what it has validated, and under which key. */

const msPerUnit = {
  DAYS: 86_400_000,
  HOURS: 3_600_000,
  MINUTES: 60_000,
  SECONDS: 1_000,
  MILLISECONDS: 1,
  MICROSECONDS: 1e-3,
  NANOSECONDS: 1e-6,
} as const;

export type SessionUnit = keyof typeof msPerUnit;

const minutesOfPage = 15;
const daysOfServer = 30;

/** The longest that a session lasts, by who asks for it. */
export const longestSession = {
  server: { inMs: daysOfServer * msPerUnit.DAYS, words: `${daysOfServer} days` },
  page: { inMs: minutesOfPage * msPerUnit.MINUTES, words: `${minutesOfPage} minutes` },
} as const;

/** As it is asked for. */
export interface AskedSession {
  readonly key?: string | null | undefined;
  readonly ttl?: number | null | undefined;
  readonly ttl_unit?: SessionUnit | null | undefined;
}

export interface Session {
  readonly key: string;
  readonly ttl: number;
  readonly ttl_unit: SessionUnit;
  /** The page that asks, where one does. */
  readonly page?: string | undefined;
  /** No longer than dates are written with four digits of the year. */
  readonly until: string;
}

const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** 32 letters and digits of 128 random bits. */
function newSessionKey(): string {
  return `ssn_${randomBytes(16).toString('hex')}`;
}

const usual = {
  server: { amount: 7, unit: 'DAYS' },
  page: { amount: minutesOfPage, unit: 'MINUTES' },
} as const;

/** `undefined` where nothing is said of it. A unit alone is one of it. */
export function lifeInMsOf({ ttl, ttl_unit }: AskedSession): number | undefined {
  if (!ttl && !ttl_unit) return undefined;
  return Math.ceil((ttl ?? 1) * msPerUnit[ttl_unit ?? 'DAYS']);
}

/** Without a time it lasts 7 days, that of a page 15 minutes. A part of a millisecond is a whole one. */
export function sessionOf({ key, ttl, ttl_unit }: AskedSession, now: Date, page?: string): Session {
  const { amount, unit } = usual[page === undefined ? 'server' : 'page'];
  const lifeInMs = lifeInMsOf({ ttl, ttl_unit }) ?? amount * msPerUnit[unit];
  const until = new Date(Math.min(now.getTime() + lifeInMs, lastMoment)).toISOString();
  return {
    key: key ?? newSessionKey(),
    ...(ttl || ttl_unit ? { ttl: ttl ?? 1, ttl_unit: ttl_unit ?? 'DAYS' } : { ttl: amount, ttl_unit: unit }),
    ...(page === undefined ? {} : { page }),
    until,
  };
}

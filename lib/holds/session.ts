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
  /** No longer than dates are written with four digits of the year. */
  readonly until: string;
}

const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** 32 letters and digits of 128 random bits. */
function newSessionKey(): string {
  return `ssn_${randomBytes(16).toString('hex')}`;
}

/** 7 days without a time; a part of a millisecond is a whole one, and a unit alone is one of it. */
export function sessionOf({ key, ttl, ttl_unit }: AskedSession, now: Date): Session {
  const unit = ttl_unit ?? 'DAYS';
  const amount = ttl ?? (ttl_unit ? 1 : 7);
  const lifeInMs = Math.ceil(amount * msPerUnit[unit]);
  const until = new Date(Math.min(now.getTime() + lifeInMs, lastMoment)).toISOString();
  return { key: key ?? newSessionKey(), ttl: amount, ttl_unit: unit, until };
}

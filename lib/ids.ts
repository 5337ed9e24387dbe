import { randomBytes } from 'node:crypto';

/** The prefix by which an id tells its kind. */
export const idPrefixes = {
  campaign: 'camp_',
  voucher: 'v_',
  promotion_tier: 'promo_',
  loyalty_tier: 'ltr_',
  reward: 'rew_',
  reward_assignment: 'rewa_',
  earning_rule: 'ern_',
  customer: 'cust_',
  category: 'cat_',
  validation_rule: 'val_',
  validation_rules_assignment: 'asgm_',
  pending_points: 'lopp_',
  brand: 'brd_',
  project: 'proj_',
  role: 'role_',
  user: 'user_',
  activity: 'act_',
  invitation: 'inv_',
  voucher_transaction: 'vtx_',
  group: 'grp_',
} as const;

export type IdKind = keyof typeof idPrefixes;

/** 128 random bits, so that ids of one kind never meet. */
export function newId(kind: IdKind): string {
  return idPrefixes[kind] + randomBytes(16).toString('base64url');
}

/** Digits of a time in milliseconds, base 36: enough beyond the year 5000. */
const timeDigits = 9;

/** Ids of one moment follow each other as they were made, up to so many. */
const inMoment = 36 ** 3;
let made = 0;

/**
 * An id that begins with its time and ends in 128 random bits: of what is read by time and looked for by id, so that the
 * id alone tells where to look. What one request brings about stands in the order in which it was made.
 */
export function newTimedId(kind: IdKind, time: Date): string {
  made = (made + 1) % inMoment;
  const digits = [time.getTime().toString(36).padStart(timeDigits, '0'), made.toString(36).padStart(3, '0')];
  return idPrefixes[kind] + digits.join('') + randomBytes(16).toString('base64url');
}

/** Its digits of time and order, then 16 random bytes. */
const timedPart = /^[0-9a-z]{12}[\w-]{22}$/;

/** The time that such an id begins with. */
export function timeOfId(kind: IdKind, id: string): Date | undefined {
  const prefix = idPrefixes[kind];
  if (!id.startsWith(prefix) || !timedPart.test(id.slice(prefix.length))) return undefined;
  const time = new Date(Number.parseInt(id.slice(prefix.length, prefix.length + timeDigits), 36));
  return Number.isNaN(time.getTime()) ? undefined : time;
}

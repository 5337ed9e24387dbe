import { randomBytes } from 'node:crypto';

/** Prefixes of ids, by kind. */
export const idPrefixes = {
  campaign: 'camp_',
  voucher: 'v_',
  promotion_tier: 'promo_',
  loyalty_tier: 'ltr_',
  reward: 'rew_',
  reward_assignment: 'rewa_',
  earning_rule: 'ern_',
  customer: 'cust_',
  validation_rules_assignment: 'asgm_',
  pending_points: 'lopp_',
  project: 'proj_',
  user: 'user_',
  activity: 'act_',
  invitation: 'inv_',
  voucher_transaction: 'vtx_',
  order_item: 'ordli_',
  group: 'grp_',
  async_action: 'aa_',
  redeemable_holder: 'rh_',
  deletion: 'del_',
  bin_entry: 'tbe_',
  publication: 'pub_',
  stacking_rules: 'stk_',
  validation: 'valid_',
  redemption: 'r_',
  failed_redemption: 'rf_',
  rollback: 'rr_',
  failed_rollback: 'rrf_',
} as const;

export type IdKind = keyof typeof idPrefixes;

const randomSize = 16;
/** To draw bytes takes the processor as long for a hundred ids as for one. */
const drawnAtOnce = 128;
let drawn = Buffer.alloc(0);

/** 128 bits that nobody else gets. */
function newRandom(): Buffer {
  if (drawn.length === 0) drawn = randomBytes(drawnAtOnce * randomSize);
  const own = drawn.subarray(0, randomSize);
  drawn = drawn.subarray(randomSize);
  return own;
}

/** 128 random bits, so that ids of one kind never meet. */
export function newId(kind: IdKind): string {
  return idPrefixes[kind] + newRandom().toString('base64url');
}

/** Digits of a time in milliseconds, base 36: enough beyond the year 5000. */
const timeDigits = 9;

/** Ids of one moment follow each other as they were made, up to so many. */
const inMoment = 36 ** 3;
let made = 0;

/**
 * An id that begins with its time and ends in 128 random bits, so that it sorts by creation and leads to its place in a list by
 * time. Ids of one request keep their order.
 */
export function newTimedId(kind: IdKind, time: Date): string {
  return timedId(idPrefixes[kind], time);
}

export function timedId(prefix: string, time: Date): string {
  return prefix + momentOf(time) + newRandom().toString('base64url');
}

function momentOf(time: Date): string {
  made = (made + 1) % inMoment;
  return time.getTime().toString(36).padStart(timeDigits, '0') + made.toString(36).padStart(3, '0');
}

/** Of the last 16 bytes of an id that has a number: as many as that takes. */
const numberBytes = 6;

/** An id like those, of which 48 bits are a number that leads to what it names, and 80 are random. */
export function newNumberedId(kind: IdKind, time: Date, number: number): string {
  const bytes = newRandom();
  bytes.writeUIntBE(number, 0, numberBytes);
  return idPrefixes[kind] + momentOf(time) + bytes.toString('base64url');
}

/** The number in such an id; of any other id of the kind a number that leads to something else. */
export function numberOfId(kind: IdKind, id: string): number | undefined {
  if (timeOfId(kind, id) === undefined) return undefined;
  return Buffer.from(id.slice(-22), 'base64url').readUIntBE(0, numberBytes);
}

/** What follows the prefix where an id is made of what it is about, which is 22 characters long: the same each time. */
export function timedPartOf(time: Date, about: string): string {
  return Math.max(0, time.getTime()).toString(36).padStart(timeDigits, '0').concat('000', about);
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

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
/** Drawing random bytes for a single id is as slow as for a hundred ids. */
const drawnAtOnce = 128;
let drawn = Buffer.alloc(0);

/** Returns 128 random bits that no other call gets. */
function newRandom(): Buffer {
  if (drawn.length === 0) drawn = randomBytes(drawnAtOnce * randomSize);
  const own = drawn.subarray(0, randomSize);
  drawn = drawn.subarray(randomSize);
  return own;
}

/** Makes an id of 128 random bits, so that no two ids of a kind are equal. */
export function newId(kind: IdKind): string {
  return idPrefixes[kind] + newRandom().toString('base64url');
}

/** Ids that are alike differ in this number of their last bytes. */
const countedBytes = 2;

/** Returns a maker of ids that differ only in their last 16 bits, so that a list packs to a tenth. It makes at most 65,536 different ids. */
export function idsAlike(kind: IdKind): () => string {
  const bytes = Buffer.from(newRandom());
  const place = randomSize - countedBytes;
  let next = bytes.readUInt16BE(place);
  return () => {
    bytes.writeUInt16BE(next, place);
    next = (next + 1) % 2 ** (8 * countedBytes);
    return idPrefixes[kind] + bytes.toString('base64url');
  };
}

/** Digits of a time in milliseconds, base 36. They suffice beyond the year 5000. */
const timeDigits = 9;

/** Ids of one millisecond keep their order, up to this number. */
const inMoment = 36 ** 3;
let made = 0;
let latest = 0;

/** Makes an id of a time and 128 random bits. It sorts by creation and locates the entry in a list by time. */
export function newTimedId(kind: IdKind, time: Date): string {
  return newPrefixedId(idPrefixes[kind], time);
}

export function newPrefixedId(prefix: string, time: Date): string {
  return prefix + momentOf(time) + newRandom().toString('base64url');
}

function momentOf(time: Date): string {
  // A later moment starts the count again, so that no moment has fewer ids.
  if (time.getTime() > latest) {
    latest = time.getTime();
    made = 0;
  }
  made = (made + 1) % inMoment;
  return time.getTime().toString(36).padStart(timeDigits, '0') + made.toString(36).padStart(3, '0');
}

/** The number of an id uses the first 6 of its last 16 bytes. */
const numberBytes = 6;

/** Makes a timed id with a number of 48 bits, which locates the resource, and 80 random bits. */
export function newNumberedId(kind: IdKind, time: Date, number: number): string {
  const bytes = newRandom();
  bytes.writeUIntBE(number, 0, numberBytes);
  return idPrefixes[kind] + momentOf(time) + bytes.toString('base64url');
}

/** Returns the number of a numbered id. For a timed id without a number, the result is random. */
export function readIdNumber(kind: IdKind, id: string): number | undefined {
  if (readIdTime(kind, id) === undefined) return undefined;
  return Buffer.from(id.slice(-22), 'base64url').readUIntBE(0, numberBytes);
}

/**
 * Returns the part of a timed id that follows its prefix. `about`, 22 characters, replaces the random part: equal
 * arguments give equal ids.
 */
export function deriveTimedPart(time: Date, about: string): string {
  return Math.max(0, time.getTime()).toString(36).padStart(timeDigits, '0').concat('000', about);
}

/** Matches the digits of time and order, then 16 random bytes. */
const timedPart = /^[0-9a-z]{12}[\w-]{22}$/;

/** Returns the time of a timed id. */
export function readIdTime(kind: IdKind, id: string): Date | undefined {
  const prefix = idPrefixes[kind];
  if (!id.startsWith(prefix) || !timedPart.test(id.slice(prefix.length))) return undefined;
  const time = new Date(Number.parseInt(id.slice(prefix.length, prefix.length + timeDigits), 36));
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Matches a timed id of any kind. Derived ids have zeros in place of the order (`deriveTimedPart`), because they may be made again. */
const drawnId = /^[a-z]+_[0-9a-z]{9}(?!000)[0-9a-z]{3}[\w-]{22}$/;

/** Returns whether the text is an id that one attempt has drawn, so that no other call can use it. */
export function isDrawnId(text: string): boolean {
  return drawnId.test(text);
}

import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import { canonicalCode } from '#kernel/core/canonical-code.ts';
import { idPrefixes } from '#kernel/core/ids.ts';
import { type Attributes, parseStored } from '#kernel/table/item.ts';
import { clearPlace, listIndexes, listing, placeInList } from '#kernel/table/listing.ts';
import type { Update } from '#kernel/table/update.ts';

interface Uses {
  readonly redemption_quantity?: number | null | undefined;
  readonly redeemed_quantity?: number | undefined;
}

/** Returns whether the voucher has no redemptions left. */
export function isUsedUp({ redemption_quantity: most, redeemed_quantity = 0 }: Uses): boolean {
  return most !== undefined && most !== null && redeemed_quantity >= most;
}

function foldCase({ caseSensitiveCodes }: Pick<Project, 'caseSensitiveCodes'>, code: string): string {
  return caseSensitiveCodes ? code : code.toLowerCase().toUpperCase();
}

/**
 * Returns the text that decides which voucher a code names. Some projects treat codes that differ only in case as
 * equal.
 */
export function foldCode(project: Pick<Project, 'caseSensitiveCodes'>, code: string): string {
  return foldCase(project, canonicalCode(code));
}

function hashCode({ voucherIdKey }: Pick<Project, 'voucherIdKey'>, folded: string): string {
  const hash = createHmac('sha256', voucherIdKey).update(folded).digest();
  return idPrefixes.voucher + hash.subarray(0, 16).toString('base64url');
}

/**
 * Returns the id of a code, a keyed hash of 128 bits. Code and id lead to the same item, so no two vouchers of a project share a code.
 * Without the project's secret, the id of a code cannot be computed.
 */
export function voucherId(project: Project, code: string): string {
  return hashCode(project, foldCode(project, code));
}

/**
 * Returns the ids under which a code may be stored. A code that was stored before codes were compared in their canonical form has the id
 * of its exact text, and is found first.
 */
export function listCodeIds(project: Project, code: string): string[] {
  return [...new Set([hashCode(project, foldCase(project, code)), voucherId(project, code)])];
}

/** Returns whether a text has the form of a voucher id. A code may also have this form. */
export function hasVoucherIdForm(text: string): boolean {
  return /^v_[\w-]{22}$/.test(text);
}

/** Returns the ids that a voucher with this code or id may have. The code comes first, because it wins. */
export function voucherIds(project: Project, codeOrId: string): string[] {
  const byCode = listCodeIds(project, codeOrId);
  return hasVoucherIdForm(codeOrId) ? [...byCode, codeOrId] : byCode;
}

/** Twenty workers generate codes in parallel, some 300 a second each. */
const spread = { shards: 8 };

/**
 * Decides the lists of a voucher. An insert writes three. An unchanged voucher is in no order of changes. A voucher with a holder or
 * without a campaign is not free.
 */
export const voucherLists = {
  created_at: listing(listIndexes.first, 'VOUCHERS_BY_CREATION', { ...spread, counted: true }),
  /** Lists the free codes of a campaign, the oldest first. */
  free: listing(listIndexes.second, 'FREE_VOUCHERS', { shards: 4 }),
  /**
   * Lists usable codes without a campaign and a holder, which every customer may use. Each type has its own list. They
   * are in no campaign's list of free codes.
   */
  standalone: listing(listIndexes.second, 'STANDALONE_VOUCHERS', { shards: 2 }),
  ofCampaign: listing(listIndexes.third, 'VOUCHERS_OF_CAMPAIGN', { ...spread, counted: true }),
  updated_at: listing(listIndexes.fourth, 'VOUCHERS_BY_CHANGE', spread),
};

/** The attributes of a voucher in its lists. They never change, because each change would write every list. */
export const listedVoucher = v.object({ id: v.string(), code: v.string(), type: v.string(), created_at: v.string() });

/** The attributes that decide a voucher's lists. */
export const placedVoucher = v.object({
  ...listedVoucher.entries,
  updated_at: v.nullish(v.string()),
  campaign_id: v.nullish(v.string()),
  holder_id: v.nullish(v.string()),
  active: v.nullish(v.boolean()),
  publish_count: v.optional(v.number()),
  redeemed_quantity: v.optional(v.number()),
  redeemed_amount: v.optional(v.number()),
  redeemed_points: v.optional(v.number()),
  redemption_quantity: v.nullish(v.number()),
  gift: v.nullish(v.looseObject({ amount: v.number() })),
  gift_balance: v.nullish(v.number()),
  was_redeemed: v.optional(v.boolean()),
});

export type PlacedVoucher = v.InferInput<typeof placedVoucher>;

function isUnused({
  redeemed_quantity = 0,
  redeemed_amount = 0,
  redeemed_points = 0,
  was_redeemed,
}: PlacedVoucher): boolean {
  return !was_redeemed && redeemed_quantity + redeemed_amount + redeemed_points === 0;
}

/** Returns whether a campaign's voucher is free: active, without a holder, never published and never redeemed. */
export function isFree(item: PlacedVoucher): boolean {
  const { campaign_id, holder_id, active, publish_count = 0 } = item;
  return Boolean(campaign_id) && !holder_id && active !== false && publish_count === 0 && isUnused(item);
}

/** Requires that no request has begun to use the voucher. */
export function requireUnused<U extends Update<PlacedVoucher>>(update: U): U {
  return update.whenBelow('redeemed_quantity', 1).whenStill('was_redeemed', undefined);
}

/** Removes a campaign's voucher from the free codes permanently. A rollback restores only its value. */
export function removeFromFree<U extends Update<PlacedVoucher>>(
  update: U,
  { campaign_id, publish_count = 0, was_redeemed }: PlacedVoucher,
): U {
  if (!campaign_id || publish_count > 0 || was_redeemed) return update;
  return setAll(update.set(['was_redeemed'], true), clearPlace(voucherLists.free));
}

function isStandalone({ campaign_id, holder_id, active }: PlacedVoucher): boolean {
  return !campaign_id && !holder_id && active !== false;
}

/** Types of codes that need no campaign. */
export const standaloneTypes = ['DISCOUNT_VOUCHER', 'GIFT_VOUCHER'] as const;

function hasNothingLeft({ type, gift, gift_balance }: PlacedVoucher): boolean {
  return type === 'GIFT_VOUCHER' && (gift_balance ?? gift?.amount ?? 0) <= 0;
}

/** Returns whether a standalone code is useless until a rollback or a credit. */
function isSpent(item: PlacedVoucher): boolean {
  return isUsedUp(item) || hasNothingLeft(item);
}

function standalonePlace(projectId: string, { type, created_at, id }: PlacedVoucher): Attributes {
  return placeInList(voucherLists.standalone, [projectId, type], [created_at, id]);
}

/**
 * Removes a standalone code from its list with its last use. The caller requires unchanged uses, because a code that is removed wrongly
 * would never be offered again.
 */
export function removeWithLastUse<U extends Update<PlacedVoucher>>(update: U, item: PlacedVoucher): U {
  const { redeemed_quantity = 0 } = item;
  if (!isStandalone(item) || !isUsedUp({ ...item, redeemed_quantity: redeemed_quantity + 1 })) return update;
  return setAll(update, clearPlace(voucherLists.standalone));
}

/** Removes a code that many customers use, after its last use. */
export function removeAfterLastUse<U extends Update<PlacedVoucher>>(update: U, stored: Attributes): U {
  const item = parseStored(placedVoucher, stored);
  return isStandalone(item) && isUsedUp(item) ? setAll(update, clearPlace(voucherLists.standalone)) : update;
}

/** Lists a code again in a rollback. The code has a use left afterwards, whatever other requests do. */
export function listAgain<U extends Update<PlacedVoucher>>(update: U, projectId: string, item: PlacedVoucher): U {
  return isStandalone(item) ? setAll(update, standalonePlace(projectId, item)) : update;
}

/** Lists a standalone gift card again once it has credits, or removes it once it has none. The caller requires an unchanged balance. */
export function moveByBalance<U extends Update<PlacedVoucher>>(
  update: U,
  projectId: string,
  before: PlacedVoucher,
  after: PlacedVoucher,
): U {
  if (!isStandalone(before) || hasNothingLeft(before) === hasNothingLeft(after)) return update;
  if (hasNothingLeft(after)) return setAll(update, clearPlace(voucherLists.standalone));
  return isUsedUp(before) ? update : setAll(update, standalonePlace(projectId, after));
}

/** Returns the places among free codes, and among codes that every customer may use. */
function openPlace(projectId: string, item: PlacedVoucher): Attributes {
  const { id, campaign_id, created_at } = item;
  const at = [created_at, id];
  if (isStandalone(item)) {
    return isSpent(item) ? clearPlace(voucherLists.standalone) : standalonePlace(projectId, item);
  }
  return isFree(item)
    ? placeInList(voucherLists.free, [projectId, campaign_id ?? ''], at)
    : clearPlace(voucherLists.free);
}

/** Returns the attributes for all lists of a voucher. `undefined` removes it from a list. */
export function placeVoucher(projectId: string, item: PlacedVoucher): Attributes {
  const { id, code, type, campaign_id, created_at, updated_at } = item;
  const at = [created_at, id];
  return {
    ...placeInList(voucherLists.created_at, [projectId], at),
    ...openPlace(projectId, item),
    ...(campaign_id ? placeVoucherInCampaign(projectId, campaign_id, item) : clearPlace(voucherLists.ofCampaign)),
    ...(updated_at ? changePlace(projectId, id, updated_at) : clearPlace(voucherLists.updated_at)),
    listed: { id, code, type, created_at } satisfies v.InferOutput<typeof listedVoucher>,
  };
}

/** Returns the place among the campaign's vouchers. A tombstone that is removed with its campaign keeps it. */
export function placeVoucherInCampaign(
  projectId: string,
  campaignId: string,
  { created_at, id }: Pick<PlacedVoucher, 'created_at' | 'id'>,
): Attributes {
  return placeInList(voucherLists.ofCampaign, [projectId, campaignId], [created_at, id]);
}

function changePlace(projectId: string, id: string, updatedAt: string): Attributes {
  return placeInList(voucherLists.updated_at, [projectId], [updatedAt, id]);
}

/** Notes a change of the voucher, and moves it to the end of the order of changes. */
export function noteChange<U extends Update<PlacedVoucher>>(update: U, projectId: string, id: string, now: string): U {
  return setAll(update.set(['updated_at'], now), changePlace(projectId, id, now));
}

/** Moves a voucher into or out of the free codes after a change of its holder or `active`. */
export function moveFreeVoucher<U extends Update<PlacedVoucher>>(update: U, projectId: string, item: PlacedVoucher): U {
  // A simultaneous rollback would list it, and this write would remove it permanently.
  if (isStandalone(item) && isSpent(item)) {
    if (item.redeemed_quantity) update.whenStill('redeemed_quantity', item.redeemed_quantity);
    if (hasNothingLeft(item)) update.whenStill('gift_balance', item.gift_balance ?? undefined);
  }
  return setAll(update, openPlace(projectId, item));
}

function setAll<U extends Update>(update: U, attributes: Attributes): U {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) update.remove([name]);
    else update.set([name], value);
  }
  return update;
}

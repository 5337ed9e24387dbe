import * as v from 'valibot';
import { voucherIds } from '#engine/ledger/codes/voucher-lists.ts';
import type { Refusal } from '#engine/rules/benefit.ts';
import { counters } from '#engine/rules/counter.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import type { ErrorKey } from '#kernel/core/errors.ts';
import { identifier } from '#kernel/core/schema.ts';
import type { Reading } from '#kernel/http/context.ts';
import { read } from '#kernel/table/read.ts';
import type { SkipKey } from '../engine/stacking-rules.ts';

/** Finds the vouchers of codes in any case, as both protocols demand. */

export interface FoundCode {
  readonly index: number;
  /** The code as the cart has it. */
  readonly code: string;
  /** The code as the voucher has it. */
  readonly voucherCode: string;
}

/** Returns the spellings to try. The sent one wins over others that differ in case. */
function listSpellings({ caseSensitiveCodes }: Reading['project'], code: string): string[] {
  return caseSensitiveCodes ? [...new Set([code, code.toUpperCase(), code.toLowerCase()])] : [code];
}

/** Finds all codes in one call. A voucher that is named twice is applied once. */
export async function findCodes(
  { table, project }: Pick<Reading, 'table' | 'project'>,
  codes: readonly string[],
): Promise<{ found: readonly FoundCode[]; refused: readonly RefusedCode[] }> {
  const keys = codes.map((code) =>
    v.is(identifier, code)
      ? listSpellings(project, code)
          .filter((spelling) => v.is(identifier, spelling))
          .flatMap((spelling) => voucherIds(project, spelling))
          .map((id) => vouchers(project.id, id))
      : [],
  );
  const { items } = await read(table, { items: keys.flat() });
  let next = 0;
  const found: FoundCode[] = [];
  const refused: RefusedCode[] = [];
  for (const [index, code] of codes.entries()) {
    const count = keys[index]?.length ?? 0;
    const voucher = items.slice(next, next + count).find((item) => item !== undefined);
    next += count;
    if (!voucher) refused.push(refuseCode({ index, code }, 'invalid'));
    else if (found.some(({ voucherCode }) => voucherCode === voucher.code)) {
      refused.push(refuseCode({ index, code }, 'already_applied'));
    } else found.push({ index, code, voucherCode: voucher.code });
  }
  return { found, refused };
}

/** Maps refusals of codes to the reasons of UCP and ACP (docs/commerce.md#refusals). */

/** Names all reasons of ACP. UCP lacks the last two. */
export const commerceReasons = [
  'expired',
  'invalid',
  'already_applied',
  'combination_disallowed',
  'user_not_logged_in',
  'user_ineligible',
  'minimum_not_met',
  'usage_limit_reached',
] as const;

export type CommerceReason = (typeof commerceReasons)[number];

export interface RefusedCode {
  /** The place of the code in the cart. */
  readonly index: number;
  readonly code: string;
  readonly reason: CommerceReason;
  readonly text: string;
}

const reasonsByKey: Readonly<Partial<Record<ErrorKey, CommerceReason>>> = {
  voucher_expired: 'expired',
  quantity_exceeded: 'usage_limit_reached',
  gift_amount_exceeded: 'usage_limit_reached',
  multiple_requests: 'usage_limit_reached',
  missing_customer: 'user_not_logged_in',
  customer_rules_violated: 'user_ineligible',
  invalid_customer: 'user_ineligible',
  referrer_not_permitted_to_redeem: 'user_ineligible',
  redemption_rules_violated: 'user_ineligible',
  order_rules_violated: 'minimum_not_met',
  missing_order_items: 'minimum_not_met',
  missing_order_items_amount: 'minimum_not_met',
  missing_amount: 'minimum_not_met',
  invalid_amount: 'minimum_not_met',
};

const texts: Readonly<Record<CommerceReason, string>> = {
  expired: 'has expired.',
  invalid: 'is not valid.',
  already_applied: 'is already applied.',
  combination_disallowed: 'cannot be combined with another discount of this cart.',
  user_not_logged_in: 'works only after signing in.',
  user_ineligible: 'is not for this customer.',
  minimum_not_met: 'needs other or more products in the cart.',
  usage_limit_reached: 'has been used as often as it can be.',
};

/** Returns whether a counted limit, such as uses for each customer, refuses the code. */
function isCountedLimit({ traces }: Refusal): boolean {
  const steps = traces?.().flatMap(({ steps }) => steps) ?? [];
  return steps.some(({ failed }) => failed !== undefined && counters.has(failed.name));
}

/** Adds details to the reason. */
const textsByKey: Readonly<Partial<Record<ErrorKey, string>>> = {
  voucher_not_active: 'cannot be used yet.',
  voucher_not_active_now: 'cannot be used at this time.',
  voucher_disabled: 'is switched off.',
  campaign_not_active: 'is switched off.',
  missing_reward: 'is a loyalty card and not a discount code.',
  referrer_not_permitted_to_redeem: 'is for friends of its holder.',
  redemption_rules_violated: 'cannot be used for this purchase.',
};

export function refuseCode(place: { index: number; code: string }, reason: CommerceReason, text?: string): RefusedCode {
  return { ...place, reason, text: text ?? `The code ${place.code} ${texts[reason]}` };
}

/** Translates a refusal of the checkout. The shop's own message wins. */
export function refuseByRules(place: { index: number; code: string }, refusal: Refusal): RefusedCode {
  const { key, message } = refusal;
  const reason =
    key === 'redemption_rules_violated' && isCountedLimit(refusal)
      ? 'usage_limit_reached'
      : (reasonsByKey[key] ?? 'invalid');
  const own = reason === 'usage_limit_reached' ? undefined : textsByKey[key];
  return refuseCode(place, reason, message ?? (own && `The code ${place.code} ${own}`));
}

/** Translates the reason for which stacking rules leave out a code. */
export function refuseSkipped(place: { index: number; code: string }, key: SkipKey): RefusedCode {
  return refuseCode(place, key === 'no_effect' ? 'minimum_not_met' : 'combination_disallowed');
}

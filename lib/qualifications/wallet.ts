import type * as v from 'valibot';
import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import { voucherLists } from '../codes/voucher-lists.ts';
import type { Reading } from '../context.ts';
import { type Attributes, parseStored } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { entries } from '../table/listing.ts';
import { holdings, listedHolding } from '../vouchers/held-card.ts';
import { isReferralCode } from '../vouchers/referral-code.ts';
import { vouchers } from '../vouchers/voucher.ts';
import { type Candidate, voucherCandidate } from './candidate.ts';
import { type Cursor, rangeBehind } from './cursor.ts';

/** Vouchers that are read: those that a customer holds, and codes that anybody may use. */

/** The last that they came to hold. */
const maxHeld = 500;

type Campaigns = ReadonlyMap<string, CampaignTerms>;

/** A voucher that a customer holds, as it stands in the table. */
interface Held {
  readonly holding: v.InferOutput<typeof listedHolding>;
  readonly stored: Attributes;
}

export async function readHeld(context: Reading, customerId: string): Promise<Held[]> {
  const { table, project } = context;
  const held: Held['holding'][] = [];
  const walk = entries(table, holdings, [project.id, customerId], { descending: true, atOnce: maxHeld });
  for await (const { listed } of walk) {
    held.push(parseStored(listedHolding, listed));
    if (held.length === maxHeld) break;
  }
  const items = await table.getMany(held.map(({ voucher_id }) => vouchers(project.id, voucher_id)));
  return held.flatMap((holding, index) => {
    const stored = items[index];
    const isTheirs = holding.holder_role !== undefined || stored?.holder_id === customerId;
    return stored && isTheirs ? [{ holding, stored }] : [];
  });
}

/** What of it is there still: a voucher whose campaign is gone is gone. */
export function heldCandidates(held: readonly Held[], campaigns: Campaigns): Candidate[] {
  return held.flatMap(({ holding: { holder_role }, stored }) => {
    const voucher = parseStored(vouchers.schema, stored);
    const campaign = campaigns.get(voucher.campaign_id ?? '');
    if (voucher.campaign_id && !campaign) return [];
    const role = holder_role ?? (isReferralCode(voucher, campaign) ? 'REFERRER' : 'OWNER');
    return [voucherCandidate({ voucher, stored }, campaign, role)];
  });
}

export interface Standalone {
  readonly candidates: readonly Candidate[];
  /** The last that was looked at, where there are more: nothing older can be placed yet. */
  readonly horizon: Candidate | undefined;
}

/** The newest behind a cursor. The list lags by some milliseconds, so that one may have a holder by now. */
export async function readStandalone(
  context: Reading,
  { from, most }: { from: Cursor | undefined; most: number },
): Promise<Standalone> {
  const { table, project } = context;
  const range = from === undefined ? {} : rangeBehind(from);
  const keys: Key[] = [];
  for await (const { key } of entries(table, voucherLists.standalone, [project.id], {
    descending: true,
    atOnce: most,
    ...range,
  })) {
    keys.push(key);
    if (keys.length === most) break;
  }
  const items = await table.getMany(keys);
  const found = items.flatMap((stored) => {
    if (!stored) return [];
    const voucher = parseStored(vouchers.schema, stored);
    return [{ candidate: voucherCandidate({ voucher, stored }, undefined), isOpen: !voucher.holder_id }];
  });
  const last = found.at(-1)?.candidate;
  return {
    candidates: found.flatMap(({ candidate, isOpen }) => (isOpen ? [candidate] : [])),
    horizon: keys.length === most ? last : undefined,
  };
}

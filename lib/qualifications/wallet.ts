import type { CampaignTerms } from '../campaigns/campaign-terms.ts';
import type { Reading } from '../context.ts';
import { parseStored } from '../table/item.ts';
import { entries } from '../table/listing.ts';
import { holdings, listedHolding } from '../vouchers/held-card.ts';
import { isReferralCode } from '../vouchers/referral-code.ts';
import { vouchers } from '../vouchers/voucher.ts';
import { type Candidate, type HolderRole, voucherCandidate } from './candidate.ts';

/** What a customer holds. */

/** The last that they came to hold. */
const maxHeld = 500;

/** DynamoDB takes so many keys a call; several calls go at once. */
const keysAtOnce = 100;

export async function walletOf(
  { table, project }: Reading,
  customerId: string,
  campaigns: ReadonlyMap<string, CampaignTerms>,
): Promise<Candidate[]> {
  const held = [];
  const walk = entries(table, holdings, [project.id, customerId], { descending: true, atOnce: maxHeld });
  for await (const { listed } of walk) {
    held.push(parseStored(listedHolding, listed));
    if (held.length === maxHeld) break;
  }
  const keys = held.map(({ voucher_id }) => vouchers(project.id, voucher_id));
  const batches = Array.from({ length: Math.ceil(keys.length / keysAtOnce) }, (_, at) =>
    table.getMany(keys.slice(at * keysAtOnce, (at + 1) * keysAtOnce)),
  );
  const items = (await Promise.all(batches)).flat();
  return held.flatMap(({ holder_role }, index) => {
    const stored = items[index];
    if (!stored) return [];
    const voucher = parseStored(vouchers.schema, stored);
    const campaign = campaigns.get(voucher.campaign_id ?? '');
    if ((holder_role === undefined && voucher.holder_id !== customerId) || (voucher.campaign_id && !campaign))
      return [];
    const role: HolderRole = holder_role ?? (isReferralCode(voucher, campaign) ? 'REFERRER' : 'OWNER');
    return [voucherCandidate({ voucher, stored }, campaign, role)];
  });
}

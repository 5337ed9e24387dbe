import type { CampaignItem } from '#engine/campaigns/campaign.ts';
import type { Reading } from '#kernel/http/context.ts';
import type { Effect } from '#kernel/table/effects.ts';
import { drawCode } from './free-code.ts';
import { makeVoucher } from './make-voucher.ts';
import { chooseType } from './new-voucher.ts';

/** Creates the only voucher of a STANDALONE campaign, under the sent code or a drawn code. */
export async function makeOnlyVoucher(
  context: Reading,
  campaign: CampaignItem,
  sent: string | undefined,
): Promise<Effect[]> {
  const code = sent ?? (await drawCode(context, campaign.voucher?.code_config));
  return makeVoucher(context, { code, type: chooseType({}, campaign), isOfNoCaller: true }, campaign).effects;
}

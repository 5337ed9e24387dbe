import type { CampaignTerms } from '#engine/campaigns/campaign-terms.ts';
import { findVoucherType, type VoucherType } from '#engine/campaigns/kinds.ts';
import { notFound, ServiceError } from '#kernel/core/errors.ts';
import type { AskedPublication } from './publication-body.ts';
import type { PublicationTarget } from './publication-target.ts';

/** Decides which vouchers a browser may publish: the types in `client_publication` of their campaign. */

export function isOpenToBrowsers(campaign: CampaignTerms | undefined, type: VoucherType | undefined): boolean {
  return type !== undefined && (campaign?.client_publication?.includes(type) ?? false);
}

/** Throws 403 for a campaign that is closed to browsers, and 404 for a code, so that browsers cannot find codes by trying. */
export function checkOpenToBrowsers(
  { target: asked }: Pick<AskedPublication, 'target'>,
  target: PublicationTarget,
): void {
  const { campaign } = target;
  const type = 'item' in target ? target.item.type : findVoucherType(target.campaign);
  if (isOpenToBrowsers(campaign, type)) return;
  if ('voucher' in asked) throw notFound('voucher', asked.voucher);
  throw new ServiceError('client_side_disabled', {
    details: `pages must not publish from campaign "${asked.campaign}": its client_publication does not name ${type ?? 'a type of voucher'}`,
    resource: { id: asked.campaign, type: 'campaign' },
  });
}

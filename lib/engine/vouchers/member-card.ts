import type { Programme } from '#engine/campaigns/programme.ts';
import type { VoucherItem } from './voucher.ts';

/** Holds a loyalty card with its programme, which is absent without a campaign. */
export interface MemberCard {
  item: VoucherItem;
  programme: Programme | undefined;
}

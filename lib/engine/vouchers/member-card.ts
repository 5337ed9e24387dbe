import type { Programme } from '#engine/campaigns/programme.ts';
import type { VoucherItem } from './voucher.ts';

/** Holds a loyalty card with its programme. A card without a campaign has none. */
export interface MemberCard {
  item: VoucherItem;
  programme: Programme | undefined;
}

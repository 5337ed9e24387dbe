import type * as v from 'valibot';
import type { CampaignItem, campaignType, campaignVoucher } from './campaign.ts';

export type CampaignType = v.InferOutput<typeof campaignType>;
export type VoucherType = v.InferOutput<typeof campaignVoucher>['type'];

/** Names the type of the vouchers of each kind of campaign. A promotion has tiers instead. */
export const voucherTypes = {
  DISCOUNT_COUPONS: 'DISCOUNT_VOUCHER',
  REFERRAL_PROGRAM: 'DISCOUNT_VOUCHER',
  GIFT_VOUCHERS: 'GIFT_VOUCHER',
  LOYALTY_PROGRAM: 'LOYALTY_CARD',
  PROMOTION: undefined,
} as const satisfies Record<CampaignType, VoucherType | undefined>;

/** Returns the type of the campaign's vouchers. A promotion has no vouchers. */
export function findVoucherType({
  campaign_type,
  voucher,
}: Pick<CampaignItem, 'campaign_type' | 'voucher'>): VoucherType | undefined {
  const fixed = voucherTypes[campaign_type];
  return fixed && (voucher?.type ?? fixed);
}

const kindsByVoucher = {
  DISCOUNT_VOUCHER: 'DISCOUNT_COUPONS',
  GIFT_VOUCHER: 'GIFT_VOUCHERS',
  LOYALTY_CARD: 'LOYALTY_PROGRAM',
} as const satisfies Record<VoucherType, CampaignType>;

interface Sent {
  campaign_type?: CampaignType | undefined;
  voucher?: { type?: VoucherType | undefined } | undefined;
}

/** Returns the requested kind. Without `campaign_type`, the type of the vouchers decides. */
export function chooseKind({ campaign_type, voucher }: Sent): CampaignType {
  return campaign_type ?? kindsByVoucher[voucher?.type ?? 'DISCOUNT_VOUCHER'];
}

interface SentWhole extends Sent {
  type?: 'AUTO_UPDATE' | 'STATIC' | 'STANDALONE' | undefined;
  vouchers_count?: number | undefined;
  voucher?:
    | { type?: VoucherType | undefined; gift?: unknown; loyalty_card?: unknown; is_referral_code?: boolean | undefined }
    | undefined;
}

/** Names a place in a body, and its fault. */
export type Fault = readonly [place: readonly [string, ...string[]], message: string];

/** Yields the fields that contradict the kind of the campaign. */
export function* kindFaults(body: SentWhole): Generator<Fault> {
  const kind = chooseKind(body);
  const type = voucherTypes[kind];
  const { voucher = {} } = body;
  if (body.type === 'STANDALONE' && (kind === 'LOYALTY_PROGRAM' || kind === 'PROMOTION')) {
    yield [['type'], `must be one of AUTO_UPDATE, STATIC in a ${kind}`];
  }
  if (body.type === 'STANDALONE' && (body.vouchers_count ?? 0) > 1) {
    yield [['vouchers_count'], 'must be 0 or 1: a STANDALONE campaign has one voucher'];
  }
  if (type === undefined) return;
  if (voucher.type !== undefined && voucher.type !== type) {
    yield [['voucher', 'type'], `must be ${type} in a ${kind}`];
  }
  if (type === 'GIFT_VOUCHER' && !voucher.gift) yield [['voucher', 'gift'], `is required in a ${kind}`];
  if (type === 'LOYALTY_CARD' && !voucher.loyalty_card) {
    yield [['voucher', 'loyalty_card'], `is required in a ${kind}`];
  }
  if (kind === 'REFERRAL_PROGRAM' && voucher.is_referral_code === false) {
    yield [['voucher', 'is_referral_code'], `must be true in a ${kind}`];
  }
}

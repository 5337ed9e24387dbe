import * as v from 'valibot';
import { buildHolding } from '#engine/vouchers/held-card.ts';
import { buildRefereeHolding, refereeItem, referees } from '#engine/vouchers/referee.ts';
import { voucherItem, vouchers } from '#engine/vouchers/voucher.ts';
import { defined } from '#kernel/core/defined.ts';
import { idPrefixes } from '#kernel/core/ids.ts';
import { code, dateTime, identifier, metadata, nullable, object } from '#kernel/core/schema.ts';
import { describeList, refer } from '#kernel/kit/entries/list.ts';
import { holder } from './holder.ts';

const { voucher_type } = refereeItem.entries;

const entry = object({
  id: identifier,
  /** The code, or its id in replies. */
  code,
  customer_id: identifier,
  campaign_id: nullable(identifier),
  voucher_type: v.optional(voucher_type, 'DISCOUNT_VOUCHER'),
  created_at: v.optional(dateTime),
  metadata: v.optional(metadata),
  holder_role: v.optional(v.picklist(['REFERRER', 'REFEREE']), 'REFEREE'),
});

const known = v.pick(voucherItem, ['id', 'code', 'type', 'campaign_id', 'created_at', 'is_referral_code']);

/** Lists holders of referral codes. A referrer is also the voucher's `holder_id`, and has only its id and date here. */
export const referralHolderEntries = describeList('referral_holders', entry, {
  called: 'referral holder',
  number: 'many',
  stage: 3,
  names: ['id'],
  prefix: idPrefixes.redeemable_holder,
  shown: holder,
  fromReply: ({ redeemable_id: code, ...reply }) => ({ ...defined({ code }), ...reply }),
  references: (one) => [
    refer('code', 'vouchers', one.code, ['code', 'id']),
    refer('customer_id', 'customers', one.customer_id, ['id']),
    refer('campaign_id', 'campaigns', one.campaign_id, ['id']),
  ],
  lookups: (one, projectId, voucherId) => [vouchers(projectId, voucherId(one.code))],
  items({ campaign_id, holder_role, ...one }, { projectId, now, voucherId, at, missing, place }) {
    const key = vouchers(projectId, voucherId(one.code));
    const voucher = at(key);
    if (!voucher) {
      missing(`${place} is about a code that was removed during the load; run again`);
      return [];
    }
    const { id: voucher_id, code: named, ...held } = v.parse(known, voucher);
    const created_at = one.created_at ?? now;
    if (holder_role === 'REFERRER') {
      const holding = buildHolding(projectId, one.customer_id, { id: voucher_id, ...held }, created_at, one.id);
      return [{ ...holding, ifThere: true }];
    }
    const referee = { ...one, code: named, voucher_id, created_at, ...(campaign_id ? { campaign_id } : {}) };
    const holding = buildRefereeHolding(projectId, referee);
    return [
      { key: referees(projectId, voucher_id, one.id), item: referee, once: Object.keys(referee) },
      { ...holding, once: Object.keys(holding.item) },
    ];
  },
  kinds: [referees.kind],
});

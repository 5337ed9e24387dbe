import * as v from 'valibot';
import { idPrefixes } from '../../core/ids.ts';
import { code, dateTime, identifier, metadata, nullable, object } from '../../core/schema.ts';
import { describeList, refer } from '../../kit/entries/list.ts';
import { buildRefereeHolding, refereeItem, referees } from '../../vouchers/referee.ts';
import { holder } from './holder.ts';

const { voucher_type } = refereeItem.entries;

const entry = object({
  id: identifier,
  code,
  customer_id: identifier,
  campaign_id: nullable(identifier),
  voucher_type: v.optional(voucher_type, 'DISCOUNT_VOUCHER'),
  created_at: v.optional(dateTime),
  metadata: v.optional(metadata),
});

/** Lists referees. The referrer is the voucher's `holder_id`. */
export const referralHolderEntries = describeList('referral_holders', entry, {
  called: 'referral holder',
  number: 'many',
  stage: 3,
  names: ['id'],
  prefix: idPrefixes.redeemable_holder,
  shown: holder,
  references: (one) => [
    refer('code', 'vouchers', one.code, ['code']),
    refer('customer_id', 'customers', one.customer_id, ['id']),
    refer('campaign_id', 'campaigns', one.campaign_id, ['id']),
  ],
  items({ campaign_id, ...one }, { projectId, now, voucherId }) {
    const referee = {
      ...one,
      voucher_id: voucherId(one.code),
      created_at: one.created_at ?? now,
      ...(campaign_id ? { campaign_id } : {}),
    };
    const holding = buildRefereeHolding(projectId, referee);
    return [
      { key: referees(projectId, referee.voucher_id, one.id), item: referee, once: Object.keys(referee) },
      { ...holding, once: Object.keys(holding.item) },
    ];
  },
  kinds: [referees.kind],
});

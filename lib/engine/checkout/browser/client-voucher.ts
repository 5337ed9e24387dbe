import * as v from 'valibot';
import { partialVoucher, voucher } from '#engine/vouchers/voucher.ts';
import { named } from '#kernel/core/documented.ts';

function entriesForPages<
  E extends Record<
    'additional_info' | 'holder_id' | 'referrer_id' | 'publish' | 'validation_rules_assignments',
    unknown
  >,
>({ additional_info, holder_id, referrer_id, publish, validation_rules_assignments, ...shown }: E) {
  return shown;
}

/** Shows a page a voucher without its rules, its holder and the notes of operators. */
export const clientVoucher = named('ClientVoucher', v.object(entriesForPages(voucher.entries)));

/** Shows a page a voucher that it has redeemed. */
export const clientPartialVoucher = named('ClientPartialVoucher', v.object(entriesForPages(partialVoucher.entries)));

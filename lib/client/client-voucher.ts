import * as v from 'valibot';
import { named } from '../documented.ts';
import { voucher } from '../vouchers/voucher.ts';

const { additional_info, holder_id, referrer_id, publish, validation_rules_assignments, ...shownToPages } =
  voucher.entries;

/** Shows a page a voucher without its rules, its holder and the notes of operators. */
export const clientVoucher = named('ClientVoucher', v.object(shownToPages));

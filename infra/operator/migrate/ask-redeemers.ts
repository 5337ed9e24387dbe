import { isRecord } from '#kernel/core/is-record.ts';
import { minor } from './csv-rows.ts';
import type { Row } from './pages.ts';
import type { Redeemer } from './samples.ts';
import { type Source, SourceRefusal } from './source.ts';

/**
 * Asks a service whether customers may redeem again what they have redeemed. Limits that have lost a redemption answer
 * yes.
 */

/** An order for redemptions that had no order. */
const anyAmount = 10_000;

const rowsIn = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function errorOf({ result }: Row): unknown {
  return isRecord(result) && isRecord(result.error) ? result.error.key : undefined;
}

/** Names the code or the tier of the question. */
export function nameAsked({ last: { voucher_code, promotion_tier_id } }: Redeemer): string {
  return voucher_code ?? promotion_tier_id ?? '';
}

/** Returns the answer in short: `valid`, or the reason of the refusal. */
export async function askAgain(service: Source, asked: Redeemer): Promise<string> {
  const { voucher_code: code, order_amount } = asked.last;
  const body = {
    redeemables: [{ object: code === undefined ? 'promotion_tier' : 'voucher', id: nameAsked(asked) }],
    customer: { id: asked.customer },
    order: { amount: minor(order_amount) ?? anyAmount },
  };
  try {
    const reply = await service.post('/v1/validations', body);
    if (!isRecord(reply)) return 'no answer';
    if (reply.valid === true) return 'valid';
    const all = [...rowsIn(reply.redeemables), ...rowsIn(reply.inapplicable_redeemables)];
    return `refused: ${all.flatMap((one) => errorOf(one) ?? []).join(', ') || 'without a reason'}`;
  } catch (error) {
    if (error instanceof SourceRefusal && [400, 404].includes(error.status)) return `refused: ${error.key}`;
    throw error;
  }
}

import * as v from 'valibot';
import { described } from '#kernel/core/documented.ts';
import { array, identifier, longText, nullable, object, sentCount, sentMetadata } from '#kernel/core/schema.ts';
import { maxLines } from '../orders/resource.ts';

/** Describes the body of a return. */

const units = object({
  id: nullable(identifier),
  source_id: nullable(identifier),
  product_id: nullable(identifier),
  sku_id: nullable(identifier),
  quantity: v.pipe(
    sentCount,
    v.check((quantity) => quantity > 0, 'must be 1 or more'),
  ),
});

const options = object({
  refund_to: described(
    v.optional(v.picklist(['PROPORTIONAL', 'MONEY_FIRST', 'CREDITS_FIRST'])),
    'The payments that get the refund. `PROPORTIONAL` unless sent.',
  ),
  kept_lines: described(
    v.optional(v.picklist(['KEEP', 'REPRICE'])),
    'Whether the kept lines keep their discounts (the default), or are judged again without the returned units.',
  ),
  earned_points: described(
    v.optional(v.picklist(['TAKE_BACK', 'KEEP'])),
    'Whether points that the order no longer earns are taken back (the default).',
  ),
  uses: described(
    v.optional(v.picklist(['RETURN', 'KEEP'])),
    'Whether redemptions are rolled back (the default) when nothing of the order is kept.',
  ),
  referral: described(v.optional(v.picklist(['KEEP'])), 'The conversion of a referral by the order stays.'),
});

export const returnBody = object({
  source_id: described(
    nullable(identifier),
    "The shop's own id of the return. A repetition of the request answers the first return.",
  ),
  items: described(
    nullable(array(units, maxLines)),
    'The units to return. A line is named by its id, or by its product. The last lines of a product are taken first.',
  ),
  amount: described(nullable(sentCount), 'The net value to return, in minor units, of an order without lines.'),
  reason: described(nullable(longText), 'The reason for the return, in words of the shop.'),
  metadata: nullable(sentMetadata),
  dry_run: described(v.optional(v.boolean()), 'Answers what the return would do, and changes nothing.'),
  options: nullable(options),
});

export type ReturnBody = v.InferOutput<typeof returnBody>;

type Options = { [N in keyof v.InferOutput<typeof options>]-?: NonNullable<v.InferOutput<typeof options>[N]> };

/** The requested return. */
export interface AskedReturn extends Pick<ReturnBody, 'items' | 'amount' | 'reason' | 'metadata'> {
  readonly source_id?: string | undefined;
  readonly options: Options;
  /** True for a return of all that is left. */
  readonly isWhole?: true;
}

export function readAskedReturn({ source_id, options: sent, dry_run: _, ...body }: ReturnBody): AskedReturn {
  const { refund_to, kept_lines, earned_points, uses, referral } = sent ?? {};
  return {
    ...body,
    ...(source_id ? { source_id } : {}),
    options: {
      refund_to: refund_to ?? 'PROPORTIONAL',
      kept_lines: kept_lines ?? 'KEEP',
      earned_points: earned_points ?? 'TAKE_BACK',
      uses: uses ?? 'RETURN',
      referral: referral ?? 'KEEP',
    },
  };
}

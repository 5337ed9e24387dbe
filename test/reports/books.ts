import type { Reply } from '../support/call.ts';

/** The books of a story: what callers were told about their redemptions and rollbacks. */

/** A redemption as its caller saw it, in the words of stored records. */
interface BookedUse {
  readonly id: string;
  readonly about: {
    readonly related_object_type: string;
    readonly related_object_id: string;
    readonly related_object_parent_id: string | undefined;
    readonly voucher_code: string | undefined;
    readonly voucher_type: string | undefined;
    readonly customer_id: string | undefined;
    readonly channel: { readonly channel_type: string };
  };
  readonly discount: number;
  readonly credits: number;
  readonly points: number;
}

/** A sale with one or several redemptions, or the taking back of such a sale. */
export interface BookedSale {
  readonly at: string;
  readonly isBack: boolean;
  readonly uses: readonly BookedUse[];
  /** The order when the till was done. */
  readonly order: { readonly amount: number; readonly total: number } | undefined;
}

export class Books {
  readonly sales: BookedSale[] = [];

  /** Enters a successful redemption. The request must expand the orders of its redemptions. */
  enterSale({ body }: Reply): void {
    const uses: BookedUse[] = body.redemptions.map((one: Reply['body']) => {
      const { voucher, promotion_tier: tier, gift, loyalty_card: card, order } = one;
      const campaign = voucher?.campaign_id ?? tier?.campaign?.id ?? undefined;
      return {
        id: one.id,
        about: {
          related_object_type: one.related_object_type,
          related_object_id: one.related_object_id,
          related_object_parent_id: campaign,
          voucher_code: voucher?.code,
          voucher_type: voucher?.type,
          customer_id: one.customer_id ?? undefined,
          channel: one.channel,
        },
        // Credits and points are payments.
        discount: gift || card ? 0 : (order?.total_applied_discount_amount ?? 0),
        credits: gift?.amount ?? 0,
        points: card?.points ?? 0,
      };
    });
    const { amount, total_amount: total } = body.order ?? {};
    const order = amount === undefined ? undefined : { amount, total };
    this.sales.push({ at: body.redemptions[0].date, isBack: false, uses, order });
  }

  /** Enters a successful rollback of this redemption or of one of its sale. */
  enterBack(redemptionId: string, at: string): void {
    const sale = this.sales.find(({ isBack, uses }) => !isBack && uses.some(({ id }) => id === redemptionId));
    if (!sale) throw new Error(`no sale has the redemption ${redemptionId}`);
    this.sales.push({ ...sale, at, isBack: true });
  }
}

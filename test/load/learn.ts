import * as v from 'valibot';
import { coupon, headersOf, tills } from './shop.ts';

/** Values that are read once before the traffic, because the project file does not have them. */
export interface Learnt {
  couponIds: readonly string[];
  qrAssets: readonly string[];
  barcodeAssets: readonly string[];
}

const voucherReply = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    id: v.string(),
    assets: v.object({ qr: v.object({ id: v.string() }), barcode: v.object({ id: v.string() }) }),
  }),
);
const learntCoupons = 20;

export async function learn(baseUrl: string): Promise<Learnt> {
  const vouchers = await Promise.all(
    Array.from({ length: learntCoupons }, async (_, index) => {
      const reply = await fetch(`${baseUrl}/v1/vouchers/${coupon(index)}`, { headers: headersOf(tills[0]) });
      return v.parse(voucherReply, await reply.text());
    }),
  );
  return {
    couponIds: vouchers.map(({ id }) => id),
    qrAssets: vouchers.map(({ assets }) => assets.qr.id),
    barcodeAssets: vouchers.map(({ assets }) => assets.barcode.id),
  };
}

import { createRequire } from 'node:module';

/** Its build for Node is of a kind whose names only `require` finds. */
const sdk: typeof import('@voucherify/sdk') = createRequire(import.meta.url)('@voucherify/sdk');
export const { DiscountVouchersTypesEnum, VoucherifyClientSide, VoucherifyServerSide } = sdk;

/** The published client of this interface, unchanged, pointed at the local server by its base url. */
export type Client = ReturnType<typeof VoucherifyServerSide>;

/** What a caller asks of one method of the client. */
export interface Case {
  /** The name of the operation that answers. */
  operation: string;
  check: (client: Client, runJobs: () => Promise<void>) => Promise<void>;
}

export const list = { object: 'list', data_ref: 'data' };

/** The library's own type of a voucher lacks it. */
export async function balanceOf(client: Client, code: string): Promise<number> {
  const { loyalty_card } = (await client.vouchers.get(code)) as unknown as { loyalty_card: { balance: number } };
  return loyalty_card.balance;
}

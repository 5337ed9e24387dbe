import { createRequire } from 'node:module';

/** Only `require` finds the names in the library's build for Node. */
const sdk: typeof import('@voucherify/sdk') = createRequire(import.meta.url)('@voucherify/sdk');
export const { DiscountVouchersTypesEnum, VoucherifyClientSide, VoucherifyServerSide } = sdk;

/** Tests the unchanged published client of this interface. Its base URL points at the local server. */
export type Client = ReturnType<typeof VoucherifyServerSide>;

/** Tests one method of the client. */
export interface Case {
  /** The name of the operation that answers. */
  operation: string;
  check: (client: Client, runJobs: () => Promise<void>) => Promise<void>;
}

export function answeredBy(operation: string, check: Case['check']): Case {
  return { operation, check };
}

export const list = { object: 'list', data_ref: 'data' };

/** The library's own type of a voucher lacks this field. */
export async function balanceOf(client: Client, code: string): Promise<number> {
  const { loyalty_card } = (await client.vouchers.get(code)) as unknown as { loyalty_card: { balance: number } };
  return loyalty_card.balance;
}

import { createRequire } from 'node:module';

/** Its build for Node is of a kind whose names only `require` finds. */
const sdk: typeof import('@voucherify/sdk') = createRequire(import.meta.url)('@voucherify/sdk');
export const { DiscountVouchersTypesEnum, VoucherifyServerSide } = sdk;

/** The published client of this interface, unchanged, pointed at the local server by its base url. */
export type Client = ReturnType<typeof VoucherifyServerSide>;

/** What a caller asks of one method of the client. */
export interface Case {
  /** The name of the operation that answers. */
  operation: string;
  check: () => Promise<void>;
}

import type { Customer } from './customer.ts';
import { type Context, findCustomer } from './find-customer.ts';
import { presentCustomer } from './present-customer.ts';

/** Not in the contract: the customer that activities show, by itself. By id or source id. */
export async function getCustomer(context: Context, idOrSourceId: string): Promise<Customer> {
  return presentCustomer(await findCustomer(context, idOrSourceId), context);
}

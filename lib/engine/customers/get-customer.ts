import type { Customer } from './customer.ts';
import { type Context, findCustomer } from './find-customer.ts';
import { presentCustomer } from './present-customer.ts';

/** Returns a customer by id or source id. This operation is an extension, so that a caller can open the customer of an activity. */
export async function getCustomer(context: Context, idOrSourceId: string): Promise<Customer> {
  return presentCustomer(await findCustomer(context, idOrSourceId), context);
}

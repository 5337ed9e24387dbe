import { getCustomer } from '../lib/customers/get-customer.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { customerRoutes } from '../lib/routes/customers.ts';

export const handler = endpoint(customerRoutes, 'get-customer', (call) => getCustomer(call, call.params.customerId));

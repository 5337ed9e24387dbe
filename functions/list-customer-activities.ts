import { listActivities } from '../lib/customers/list-activities.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { customerRoutes } from '../lib/routes/customers.ts';

export const handler = endpoint(customerRoutes, 'list-customer-activities', (call) =>
  listActivities(call, call.params.customerId, call.query),
);

import { sendEvent } from '../lib/events/send-event.ts';
import { endpoint } from '../lib/http/endpoint.ts';
import { customerRoutes } from '../lib/routes/customers.ts';

export const handler = endpoint(customerRoutes, 'send-event', (call) => sendEvent(call, call.body));

import { endpoint } from '../lib/http/endpoint.ts';
import { getBrand } from '../lib/management/brand.ts';
import { managementRoutes } from '../lib/routes/management.ts';

export const handler = endpoint(managementRoutes, 'get-brand', (call) => getBrand(call, call.params));

import { location } from '#engine/catalogue/locations/location.ts';
import { listLocations } from '#engine/catalogue/locations/show-locations.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/locations',
    scope: 'locations',
    summary: 'List the locations of the project',
    note: 'Returns the newest first unless `order` says otherwise. Locations come by project files.',
    answers: 'The locations.',
    query: location.listQuery,
    reply: location.listReply,
  },
  (call) => listLocations(call, call.query),
);

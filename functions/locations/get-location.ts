import { location } from '../../lib/catalogue/locations/location.ts';
import { getLocation } from '../../lib/catalogue/locations/show-locations.ts';
import { operation } from '../../lib/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/locations/{locationId}',
    scope: 'locations',
    summary: 'Get a location',
    answers: 'The location.',
    reply: location.reply,
    errors: ['not_found'],
    example: { params: { locationId: 'loc_quay' } },
  },
  (call) => getLocation(call, call.params.locationId),
);

import { location } from '#engine/catalogue/locations/location.ts';
import { getLocation } from '#engine/catalogue/locations/show-locations.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/locations/{locationId}',
    scope: 'locations',
    summary: 'Get a location',
    note: 'The reply has the shape on the map. Validation rules and filters name the location by its id.',
    answers: 'The location.',
    reply: location.reply,
    errors: ['not_found'],
    example: { params: { locationId: 'loc_quay' } },
  },
  (call) => getLocation(call, call.params.locationId),
);

import { errorCatalogue } from '../../lib/core/errors.ts';
import type { Json } from './schemas.ts';

/** Describes the one body of every refusal. */
export const errorSchema: Json = {
  type: 'object',
  properties: {
    code: { type: 'integer', description: 'The HTTP status.' },
    key: { type: 'string', enum: Object.keys(errorCatalogue), description: 'Names the situation, for programs.' },
    message: { type: 'string', description: 'The message for people, always the same for a key.' },
    details: { type: 'string', description: 'Which place broke which rule, and what is allowed.' },
    request_id: { type: 'string', description: "The reply's X-Request-Id, also in the log." },
    resource_id: { type: 'string', description: 'Id of the object of the error, if it is about one object.' },
    resource_type: { type: 'string' },
    related_object_ids: {
      type: 'array',
      items: { type: 'string' },
      description: 'Up to 100 objects that use the resource.',
    },
    related_object_type: { type: 'string' },
    redeemable_id: { type: 'string', description: 'Which of several redeemables failed.' },
    redeemable_type: { type: 'string' },
    error: {
      type: 'object',
      properties: { message: { type: 'string', description: "The shop's own message of a validation rule." } },
    },
  },
  required: ['code', 'key', 'message', 'details', 'request_id'],
};

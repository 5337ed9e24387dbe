import { errorCatalogue } from '../../lib/core/errors.ts';
import type { Json } from './schemas.ts';

/** The one body of whatever is refused. */
export const errorSchema: Json = {
  type: 'object',
  properties: {
    code: { type: 'integer', description: 'The HTTP status.' },
    key: { type: 'string', enum: Object.keys(errorCatalogue), description: 'For programs: one situation each.' },
    message: { type: 'string', description: 'For people; the same for each key.' },
    details: { type: 'string', description: 'Which place broke which rule, and what is allowed.' },
    request_id: { type: 'string', description: "The reply's X-Request-Id, and the id in the log." },
    resource_id: { type: 'string', description: 'What the error is about, where it is about one thing.' },
    resource_type: { type: 'string' },
    related_object_ids: { type: 'array', items: { type: 'string' }, description: 'What needs it, up to 100.' },
    related_object_type: { type: 'string' },
    redeemable_id: { type: 'string', description: 'Which of several redeemables failed.' },
    redeemable_type: { type: 'string' },
    error: {
      type: 'object',
      properties: { message: { type: 'string', description: "The shop's own words, of a validation rule." } },
    },
  },
  required: ['code', 'key', 'message', 'details', 'request_id'],
};

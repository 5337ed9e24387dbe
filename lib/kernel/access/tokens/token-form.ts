import * as v from 'valibot';
import { shownAs } from '#kernel/core/documented.ts';
import { scopeNames } from '../scopes.ts';

/**
 * The token request. A field must not be sent twice (RFC 6749 §3.2). All are optional here, because each missing field has its own error
 * key.
 */
const field = v.optional(v.custom<string>((value) => typeof value === 'string', 'must be sent once'));

export const tokenForm = shownAs(v.object({ access_token: field }), {
  type: 'object',
  properties: { access_token: { type: 'string' } },
  required: ['access_token'],
});

export const tokenRequest = shownAs(v.object({ grant_type: field, scope: field, user_id: field }), {
  type: 'object',
  properties: {
    grant_type: { type: 'string', enum: ['client_credentials'] },
    scope: {
      type: 'string',
      description: `Names separated by single spaces: ${scopeNames.join(', ')}. \`api\` opens every server path.`,
    },
    user_id: {
      type: 'string',
      description: "Id of a user of the project. The token can do what the user's role allows, and no more.",
    },
  },
  required: ['grant_type', 'scope'],
});

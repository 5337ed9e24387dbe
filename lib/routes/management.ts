import * as v from 'valibot';
import { brandConfiguration } from '../management/brand.ts';
import { invitationBody } from '../management/invitation.ts';
import { text } from '../schema.ts';
import type { Routes } from './route.ts';

export const managementRoutes = {
  'get-brand': {
    method: 'GET',
    path: '/management/v1/projects/{projectId}/branding/{brandingId}',
    summary: 'Get a brand configuration',
    authentication: 'management',
    access: 'read',
    params: v.object({ projectId: text, brandingId: text }),
    reply: { kind: 'json', status: 200, schema: brandConfiguration },
    errors: ['not_found'],
  },
  'invite-user': {
    method: 'POST',
    path: '/management/v1/projects/users/invite',
    summary: 'Invite a user',
    authentication: 'management',
    access: 'write',
    body: { format: 'json', schema: invitationBody },
    reply: { kind: 'empty', status: 204 },
    errors: ['used_incorrect_role', 'not_found', 'duplicate_found'],
  },
} as const satisfies Routes;

import { brandConfiguration } from '#addons/admin/management/brand.ts';
import { updateBrand, updateBrandBody } from '#addons/admin/management/change-brand.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'PUT /management/v1/projects/{projectId}/branding/{brandingId}',
    caller: 'management',
    summary: 'Update a brand configuration',
    note: 'Changes only the fields that are sent. `null` clears a field.',
    params: { brandingId: 'Id of the brand configuration.' },
    body: updateBrandBody,
    answers: 'The updated brand configuration.',
    reply: brandConfiguration,
    errors: ['not_found'],
    example: {
      params: { projectId: 'proj_demo', brandingId: 'brd_harbour' },
      body: { contact: { phone: '+47 555 01 100' } },
    },
  },
  (call) => updateBrand(call, call.params, call.body),
);

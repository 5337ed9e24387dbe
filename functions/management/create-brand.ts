import { brandConfiguration } from '#addons/admin/management/brand.ts';
import { createBrand, createBrandBody } from '#addons/admin/management/change-brand.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /management/v1/projects/{projectId}/branding',
    caller: 'management',
    summary: 'Create a brand configuration',
    note: 'A project has one brand configuration. A second one is refused.',
    body: createBrandBody,
    answers: 'The brand configuration.',
    reply: brandConfiguration,
    errors: ['not_found', 'branding_exist'],
    example: {
      params: { projectId: 'proj_demo' },
      body: {
        brand: { name: 'Quay Coffee', website_url: 'https://quay.example' },
        address: { street: 'Bryggen 14', city: 'Bergen', postal: '5003', country: 'Norway' },
        contact: { email: 'ahoy@quay.example' },
      },
    },
  },
  (call) => createBrand(call, call.params.projectId, call.body),
);

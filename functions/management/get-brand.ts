import { brandConfiguration, getBrand } from '#addons/admin/management/brand.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /management/v1/projects/{projectId}/branding/{brandingId}',
    caller: 'management',
    summary: 'Get a brand configuration',
    note: 'The reply has the names, addresses and contact details that pages and mails show.',
    params: { brandingId: 'Id of the brand configuration.' },
    answers: 'The brand configuration.',
    reply: brandConfiguration,
    errors: ['not_found'],
    table: 'get',
    example: { params: { projectId: 'proj_demo', brandingId: 'brd_harbour' } },
  },
  (call) => getBrand(call, call.params),
);

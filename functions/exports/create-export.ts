import { exportBody, findExportedObject } from '#addons/files/exported-objects.ts';
import { defined } from '#kernel/core/defined.ts';
import { operation } from '#kernel/http/operation.ts';
import { exportReply } from '#kernel/kit/exports/export.ts';
import { exportNote, startExport } from '#kernel/kit/exports/start-export.ts';

export const handler = operation(
  {
    route: 'POST /v1/exports',
    scope: 'exports',
    summary: 'Export objects to a CSV file',
    note: exportNote,
    body: exportBody,
    answers: 'The export. Its file is written after the reply.',
    reply: exportReply,
    errors: ['invalid_export_fields'],
    example: {
      body: {
        exported_object: 'customer',
        parameters: {
          fields: ['source_id', 'email', 'metadata.roast'],
          filters: { city: { conditions: { $is: 'Bergen' } } },
        },
      },
    },
  },
  (call) =>
    startExport(call, findExportedObject(call.body), { ...defined({ bom: call.body.bom }), ...call.body.parameters }),
);

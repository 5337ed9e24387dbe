import * as v from 'valibot';
import { exportedOrders } from '#engine/checkout/orders/exported.ts';
import { defined } from '#kernel/core/defined.ts';
import { object } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';
import { exportReply } from '#kernel/kit/exports/export.ts';
import { sentBom } from '#kernel/kit/exports/exported-object.ts';
import { exportNote, startExport } from '#kernel/kit/exports/start-export.ts';

export const handler = operation(
  {
    route: 'POST /v1/orders/export',
    scope: 'orders',
    summary: 'Export orders to a CSV file',
    note: exportNote,
    body: object({ parameters: v.optional(exportedOrders.parameters), ...sentBom }),
    answers: 'The export. Its file is written after the reply.',
    reply: exportReply,
    errors: ['invalid_export_fields'],
    example: {
      body: {
        parameters: {
          order: '-created_at',
          fields: ['id', 'total_amount'],
          filters: { status: { conditions: { $in: ['PAID', 'FULFILLED'] } } },
        },
      },
    },
  },
  (call) => startExport(call, exportedOrders, { ...defined({ bom: call.body.bom }), ...call.body.parameters }),
);

import * as v from 'valibot';
import { exportReply } from '../../lib/exports/export.ts';
import { exportNote, startExport } from '../../lib/exports/start-export.ts';
import { operation } from '../../lib/http/operation.ts';
import { exportedOrders } from '../../lib/orders/exported.ts';
import { object } from '../../lib/schema.ts';

export const handler = operation(
  {
    route: 'POST /v1/orders/export',
    scope: 'orders',
    summary: 'Export orders to a CSV file',
    note: exportNote,
    body: object({ parameters: v.optional(exportedOrders.parameters) }),
    answers: 'The export, which is made behind the request.',
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
  (call) => startExport(call, exportedOrders, call.body.parameters),
);

import { closeReply } from '#addons/reports/closes/close.ts';
import { closeBody, startClose } from '#addons/reports/closes/start-close.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/reports/closes',
    scope: 'reports',
    summary: 'Close the points of a loyalty campaign',
    note:
      'Sums the ledgers of all cards of the campaign, month by month, up to an instant. Each close begins where the last ' +
      'one of the campaign ended. Ask for the close until it is DONE. Points that expire with a day count as expired on ' +
      'that day, although their ledger entry is written later.',
    body: closeBody,
    answers: 'The close. Its figures are made after the reply.',
    reply: closeReply,
    errors: ['not_found', 'points_close_open'],
    example: { body: { campaign_id: 'Harbour Crew' } },
  },
  (call) => startClose(call, call.body),
);

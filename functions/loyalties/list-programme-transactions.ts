import {
  campaignTransactions,
  listProgrammeTransactions,
} from '#engine/loyalty/balances/list-campaign-transactions.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/transactions',
    scope: 'loyalties',
    summary: 'List the points transactions of a loyalty campaign',
    note: 'Merges the ledgers of all its cards. The list lags by less than a second.',
    query: campaignTransactions.query,
    answers: 'A page of the ledger entries, the newest first unless `order` says otherwise.',
    reply: campaignTransactions.reply,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew' } },
  },
  (call) => listProgrammeTransactions(call, call.params.campaignId, call.query),
);

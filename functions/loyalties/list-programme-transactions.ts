import { operation } from '../../lib/http/operation.ts';
import {
  campaignTransactionList,
  campaignTransactionsQuery,
  listProgrammeTransactions,
} from '../../lib/loyalty/balances/list-campaign-transactions.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/{campaignId}/transactions',
    scope: 'loyalties',
    summary: 'List the points transactions of a loyalty campaign',
    note: 'The ledgers of all its cards. Lags by less than a second.',
    query: campaignTransactionsQuery,
    answers: 'A page of the ledgers, the newest entry first unless `order` says otherwise.',
    reply: campaignTransactionList,
    errors: ['not_found'],
    example: { params: { campaignId: 'Harbour Crew' } },
  },
  (call) => listProgrammeTransactions(call, call.params.campaignId, call.query),
);

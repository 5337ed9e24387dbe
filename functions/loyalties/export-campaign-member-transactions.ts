import { handler as exportTransactions } from './export-member-transactions.ts';

export const handler = exportTransactions.twin({
  route: 'POST /v1/loyalties/{campaignId}/members/{memberId}/transactions/export',
  summary: 'Export the points transactions of a member of a loyalty campaign',
  example: { params: { campaignId: 'Harbour Crew' } },
});

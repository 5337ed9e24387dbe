import { operation } from '../../lib/http/operation.ts';
import { listMemberTiers } from '../../lib/loyalty/list-member-tiers.ts';
import { loyaltyTier } from '../../lib/loyalty/loyalty-tier.ts';
import { listOf } from '../../lib/schema.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/members/{memberId}/tiers',
    scope: 'loyalties',
    summary: "List a member's loyalty tiers",
    note: 'The tier that the card is in, or none.',
    answers: 'The tier that the card is in, or an empty list.',
    reply: listOf(loyaltyTier),
    errors: ['not_found'],
    example: { params: { memberId: 'CREW-INGRID' } },
  },
  (call) => listMemberTiers(call, call.params.memberId),
);

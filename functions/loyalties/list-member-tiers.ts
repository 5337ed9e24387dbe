import { loyaltyTier } from '#engine/campaigns/programme.ts';
import { listMemberTiers } from '#engine/loyalty/list-member-tiers.ts';
import { listEnvelope } from '#kernel/core/schema.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/loyalties/members/{memberId}/tiers',
    scope: 'loyalties',
    summary: "List a member's loyalty tiers",
    note: 'Lists the tier of the card, or none.',
    answers: 'The tier of the card, or an empty list.',
    reply: listEnvelope(loyaltyTier),
    errors: ['not_found'],
    example: { params: { memberId: 'CREW-INGRID' } },
  },
  (call) => listMemberTiers(call, call.params.memberId),
);

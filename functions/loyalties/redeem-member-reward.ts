import {
  memberRedemption,
  memberRewardBody,
  memberRewardErrors,
  redeemMemberReward,
} from '#engine/checkout/redemptions/redeem-member-reward.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'POST /v1/loyalties/members/{memberId}/redemption',
    scope: 'loyalties',
    summary: 'Redeem a reward for a member',
    note:
      "Redeems for the card's holder, at the price of the holder's tier. A COIN reward pays for the `order` with " +
      '`reward.points`. Without it, the order uses all the points that it needs.',
    body: memberRewardBody,
    answers: 'The redemption, with what the member received for the points.',
    reply: memberRedemption,
    errors: memberRewardErrors,
    example: { params: { memberId: 'CREW-INGRID' }, body: { reward: { id: 'rew_beans' } } },
  },
  (call) => redeemMemberReward(call, call.params, call.body),
);

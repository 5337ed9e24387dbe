import { test } from 'vitest';
import { handler as deleteCampaign } from '../../functions/campaigns/delete-campaign.ts';
import { handler as activate } from '../../functions/loyalties/activate-pending-points.ts';
import { handler as adjustMember } from '../../functions/loyalties/adjust-member-balance.ts';
import { handler as adjustPending } from '../../functions/loyalties/adjust-pending-points.ts';
import { handler as assignRewards } from '../../functions/loyalties/assign-rewards.ts';
import { handler as cancel } from '../../functions/loyalties/cancel-pending-points.ts';
import { handler as createTiers } from '../../functions/loyalties/create-loyalty-tiers.ts';
import { handler as removeAssignment } from '../../functions/loyalties/delete-programme-reward.ts';
import { handler as listTiers } from '../../functions/loyalties/list-loyalty-tiers.ts';
import { handler as listPending } from '../../functions/loyalties/list-member-pending-points.ts';
import { handler as getAssignments } from '../../functions/loyalties/list-reward-assignments.ts';
import { handler as transfer } from '../../functions/loyalties/transfer-points.ts';
import { handler as reprice } from '../../functions/loyalties/update-programme-reward.ts';
import { handler as assignReward } from '../../functions/rewards/assign-reward.ts';
import { handler as deleteReward } from '../../functions/rewards/delete-reward.ts';
import { handler as remove } from '../../functions/vouchers/delete-voucher.ts';
import { handler as disable } from '../../functions/vouchers/disable-voucher.ts';
import { handler as get } from '../../functions/vouchers/get-voucher.ts';
import { type Asked, expectAsInTurn } from '../support/in-turn.ts';
import { card, entry, programme } from '../support/loyalty.ts';

const reward = (id: string) => ({ id, name: id, type: 'MATERIAL', parameters: { product: { id: 'prod_mug' } } });
const assignment = (id: string, reward_id: string, loyalty: object) => ({
  ...{ id, reward_id, related_object_id: 'camp_club', related_object_type: 'campaign' },
  parameters: { loyalty },
});
const lists = {
  products: [{ id: 'prod_mug', name: 'Mug' }],
  customers: [{ id: 'cust_ada' }],
  campaigns: [programme('camp_club')],
  vouchers: [card('ADA', 100, { holder_id: 'cust_ada' }), card('TO', 0), card('OTHER', 0)],
  pending_points: ['lopp_1', 'lopp_2'].map((id) => ({ id, code: 'ADA', points: 50, state: 'PENDING' })),
  rewards: ['rew_hat', 'rew_mug', 'rew_cup', 'rew_bag'].map(reward),
  reward_assignments: [
    assignment('rewa_mug', 'rew_mug', { points: 30 }),
    assignment('rewa_bag', 'rew_bag', { points: 40 }),
  ],
};

const seen: Asked = [get, { params: { code: 'ADA' } }];
const adjusted = (points: number): Asked => [adjustMember, { params: { memberId: 'ADA' }, body: { points } }];
const off: Asked = [disable, { params: { code: 'ADA' } }];
const binned: Asked = [remove, { params: { code: 'ADA' } }];
const transferred = (points: number, memberId = 'TO'): Asked => [
  transfer,
  { params: { campaignId: 'camp_club', memberId }, body: [entry('ADA', points)] },
];
/** Settles everything due on the cards, so that the next transaction is the tested transaction. */
const settled = transferred(1);
const ofPending = { params: { memberId: 'ADA', pendingPointsId: 'lopp_1' } };
const pendingBy = (points: number, pendingPointsId = 'lopp_1'): Asked => [
  adjustPending,
  { params: { memberId: 'ADA', pendingPointsId }, body: { points } },
];
const activated: Asked = [activate, ofPending];
const canceled: Asked = [cancel, ofPending];
const pending: Asked = [listPending, { params: { memberId: 'ADA' } }];

test.each<[second: string, first: string, Asked, Asked, Asked[]]>([
  ['points taken', 'others taken', adjusted(-60), adjusted(-50), [seen]],
  ['points taken', 'a transfer', adjusted(-60), transferred(50), [seen]],
  ['points added', 'a deletion', adjusted(5), binned, [seen]],
  ['a transfer', 'another', transferred(60), transferred(50, 'OTHER'), [seen]],
  ['a transfer', 'switching off', transferred(60), off, [seen]],
  ['a transfer', 'a deletion', transferred(60), binned, [seen]],
  ['a change of pending points', 'another', pendingBy(-30), pendingBy(-40), [seen, pending]],
  ['a change of pending points', 'one of others', pendingBy(-30), pendingBy(-40, 'lopp_2'), [seen, pending]],
  ['a change of pending points', 'their end', pendingBy(-30), canceled, [seen, pending]],
  ['a change of pending points', 'their activation', pendingBy(-30), activated, [seen, pending]],
  ['an activation', 'an end', activated, canceled, [seen, pending]],
  ['an activation', 'another', activated, activated, [seen, pending]],
  ['an activation', 'a change of them', activated, pendingBy(20), [seen, pending]],
  ['an end', 'an activation', canceled, activated, [seen, pending]],
])('%s on a card, when they meet %s, end as if the other had come first', async (_, __, second, first, shown) => {
  await expectAsInTurn({ lists, before: [settled], first, second, seen: shown });
});

/** A new card has no revision yet, and a card of a project file may have no state. Only its own existence proves that it exists. */
test('points added to a new card, when they meet its deletion for good, end as if the deletion had come first', async () => {
  const fresh = card('ADA', 100, { holder_id: 'cust_ada', active: undefined });
  const first: Asked = [remove, { params: { code: 'ADA' }, query: 'force=true' }];
  await expectAsInTurn({
    lists: { customers: lists.customers, campaigns: lists.campaigns, vouchers: [fresh] },
    first,
    second: adjusted(5),
    seen: [seen],
  });
});

const ofClub = (assignmentId: string, loyalty: object): Asked => [
  reprice,
  { params: { campaignId: 'camp_club', assignmentId }, body: { parameters: { loyalty } } },
];
const given = (id: string, loyalty: object = { points: 10 }): Asked => [
  assignReward,
  { params: { rewardId: id }, body: { campaign: 'camp_club', parameters: { loyalty } } },
];
const givenBy = (reward: string): Asked => [
  assignRewards,
  { params: { campaignId: 'camp_club' }, body: [{ reward, parameters: { loyalty: { points: 10 } } }] },
];
const gone = (id: string): Asked => [deleteReward, { params: { rewardId: id } }];
const taken = (assignmentId: string): Asked => [
  removeAssignment,
  { params: { campaignId: 'camp_club', assignmentId } },
];
const noClub: Asked = [deleteCampaign, { params: { campaignId: 'camp_club' } }];
const all: Asked = [getAssignments, { params: { campaignId: 'camp_club' } }];
const tiers: Asked = [listTiers, { params: { campaignId: 'camp_club' } }];
const tier = (name: string, from: number): Asked => [
  createTiers,
  { params: { campaignId: 'camp_club' }, body: [{ name, points: { from } }] },
];

test.each<[second: string, first: string, Asked, Asked, Asked[]]>([
  ['an assignment', 'the same', given('rew_hat'), given('rew_hat'), [all]],
  ['an assignment', 'the same by the programme', given('rew_hat'), givenBy('rew_hat'), [all]],
  ['an assignment', 'the deletion of its reward', given('rew_hat'), gone('rew_hat'), [all]],
  ['an assignment', 'the deletion of the programme', given('rew_hat'), noClub, [all]],
  ['a price', 'another', ofClub('rewa_mug', { points: 31 }), ofClub('rewa_mug', { points: 32 }), [all]],
  ['a price', 'the end of the assignment', ofClub('rewa_mug', { points: 31 }), taken('rewa_mug'), [all]],
  [
    'a price',
    'word that it is redeemed by itself',
    ofClub('rewa_mug', { points: 31 }),
    ofClub('rewa_mug', { points: 32, auto_redeem: true }),
    [all],
  ],
  [
    'word that it is redeemed by itself',
    'that of another',
    ofClub('rewa_mug', { points: 31, auto_redeem: true }),
    ofClub('rewa_bag', { points: 32, auto_redeem: true }),
    [all],
  ],
  [
    'an assignment that is redeemed by itself',
    'another',
    given('rew_hat', { points: 3, auto_redeem: true }),
    given('rew_cup', { points: 3, auto_redeem: true }),
    [all],
  ],
  [
    'an assignment that is redeemed by itself',
    'the deletion of the programme',
    given('rew_hat', { points: 3, auto_redeem: true }),
    noClub,
    [all],
  ],
  ['a tier', 'another of its first points', tier('A', 10), tier('B', 10), [tiers]],
  ['a tier', 'the deletion of the programme', tier('A', 10), noClub, [tiers]],
])('in a programme, %s that meets %s ends as if the other had come first', async (_, __, second, first, shown) => {
  await expectAsInTurn({ lists, first, second, seen: shown });
});

test('of two tiers that are created at once in a programme with room for one, one is created', async () => {
  const loyalty_tiers = Array.from({ length: 49 }, (_, index) => ({
    ...{ id: `ltr_${index}`, name: `T${index}`, campaign_id: 'camp_club' },
    points: { from: index * 10, to: index * 10 + 9 },
  }));
  const first = tier('A', 1_000);
  await expectAsInTurn({ lists: { ...lists, loyalty_tiers }, first, second: tier('B', 2_000), seen: [tiers] });
});

import { expect } from 'vitest';
import { answeredBy, type Case, type Client, list } from './case.ts';
import { newProgramme } from './programme-cases.ts';

const costs = (points: number) => ({ loyalty: { points } });

async function newAssignment(client: Client, name: string) {
  const programme = await newProgramme(client, name);
  const parameters = costs(30);
  const [made] = await client.loyalties.createRewardAssignments(programme.id, [
    { reward: programme.reward, parameters },
  ]);
  return { programme, assignment: made?.id ?? '' };
}

/** Rows for the client's methods about rewards, and about the rewards of programmes. */
export const rewardCases: Record<string, Case> = {
  'loyalties.listMemberRewards': answeredBy('list-member-rewards', async (client) => {
    const found = await client.loyalties.listMemberRewards('CREW-INGRID', { affordable_only: true });
    expect(found).toMatchObject({ ...list, total: found.data.length });
    expect(found.data).toContainEqual(
      expect.objectContaining({
        reward: expect.objectContaining({ id: 'rew_tin' }),
        assignment: expect.objectContaining({ id: 'rewa_tin', reward_id: 'rew_tin' }),
        object: 'loyalty_reward',
      }),
    );
  }),
  'loyalties.createRewardAssignments': answeredBy('assign-rewards', async (client) => {
    const { id, reward } = await newProgramme(client, 'Gives');
    const made = await client.loyalties.createRewardAssignments(id, [{ reward, parameters: costs(40) }]);
    expect(made).toMatchObject([
      {
        id: expect.stringMatching(/^rewa_/),
        reward_id: reward,
        related_object_id: id,
        related_object_type: 'campaign',
        parameters: costs(40),
        object: 'reward_assignment',
      },
    ]);
  }),
  'loyalties.getRewardAssignment': answeredBy('get-assigned-reward', async (client) => {
    const found = await client.loyalties.getRewardAssignment('Harbour Crew', 'rewa_morning');
    expect(found).toMatchObject({ id: 'rewa_morning', reward_id: 'rew_morning' });
  }),
  'loyalties.getRewardDetails': answeredBy('get-programme-reward', async (client) => {
    const reward = await client.loyalties.getRewardDetails('Harbour Crew', 'rewa_tin');
    expect(reward).toEqual(await client.rewards.get('rew_tin'));
  }),
  'loyalties.updateRewardAssignment': answeredBy('update-programme-reward', async (client) => {
    const { programme, assignment: id } = await newAssignment(client, 'Changes a price');
    const changed = await client.loyalties.updateRewardAssignment(programme.id, { id, parameters: costs(31) });
    expect(changed).toMatchObject({ id, reward_id: programme.reward, parameters: costs(31) });
  }),
  'loyalties.deleteRewardAssignment': answeredBy('delete-programme-reward', async (client) => {
    const { programme, assignment } = await newAssignment(client, 'Takes a reward away');
    await client.loyalties.deleteRewardAssignment(programme.id, assignment);
    const asked = client.loyalties.getRewardAssignment(programme.id, assignment);
    await expect(asked).rejects.toMatchObject({ code: 404 });
  }),
  'rewards.create': answeredBy('create-reward', async (client) => {
    const attributes = { image_url: 'https://harbourcoffee.example/tin.png', description: 'Full' };
    const campaign = { id: 'camp_gift', balance: 20_000 };
    const made = await client.rewards.create({
      name: 'Tin',
      type: 'CAMPAIGN',
      parameters: { campaign },
      attributes,
    });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^rew_/),
      type: 'CAMPAIGN',
      parameters: { campaign: { ...campaign, type: 'GIFT_VOUCHERS' } },
      stock: null,
      redeemed: null,
      attributes,
      object: 'reward',
    });
  }),
  'rewards.get': answeredBy('get-reward', async (client) => {
    const found = await client.rewards.get('rew_coins');
    expect(found).toMatchObject({ type: 'COIN', parameters: { coin: { exchange_ratio: 1, points_ratio: 5 } } });
  }),
  'rewards.list': answeredBy('list-project-rewards', async (client) => {
    const { data, ...rest } = await client.rewards.list({ limit: 2, page: 1 });
    expect(data).toHaveLength(2);
    expect(rest).toMatchObject({ ...list, total: expect.any(Number) });
  }),
  'rewards.update': answeredBy('update-reward', async (client) => {
    const { reward: id } = await newProgramme(client, 'Changes a reward');
    const change = { name: 'Twice the gift', stock: 7, parameters: { product: { id: 'prod_beans' } } };
    const changed = await client.rewards.update({ id, ...change });
    expect(changed).toMatchObject({ id, type: 'MATERIAL', ...change });
  }),
  'rewards.delete': answeredBy('delete-reward', async (client) => {
    const { reward } = await newProgramme(client, 'Deletes a reward');
    await client.rewards.delete(reward);
    await expect(client.rewards.get(reward)).rejects.toMatchObject({ code: 404 });
  }),
  'rewards.createAssignment': answeredBy('assign-reward', async (client) => {
    const { id: campaign, reward } = await newProgramme(client, 'Is given a reward');
    const made = await client.rewards.createAssignment(reward, { campaign, parameters: costs(50) });
    expect(made).toMatchObject({ reward_id: reward, related_object_id: campaign, parameters: costs(50) });
  }),
  'rewards.getAssignment': answeredBy('get-assignment-of-reward', async (client) => {
    const found = await client.rewards.getAssignment('rew_morning', 'rewa_morning');
    expect(found).toMatchObject({ id: 'rewa_morning', parameters: costs(120), object: 'reward_assignment' });
  }),
  'rewards.listAssignments': answeredBy('list-assignments-of-reward', async (client) => {
    const found = await client.rewards.listAssignments('rew_morning', { limit: 1, page: 1 });
    expect(found).toMatchObject({ ...list, total: 1, data: [{ id: 'rewa_morning' }] });
  }),
  'rewards.updateAssignment': answeredBy('update-assignment-of-reward', async (client) => {
    const { programme, assignment: id } = await newAssignment(client, 'Costs more');
    const changed = await client.rewards.updateAssignment(programme.reward, { id, parameters: costs(32) });
    expect(changed).toMatchObject({ id, parameters: costs(32), updated_at: expect.any(String) });
  }),
  'rewards.deleteAssignment': answeredBy('delete-assignment-of-reward', async (client) => {
    const { programme, assignment } = await newAssignment(client, 'Gives no more');
    await client.rewards.deleteAssignment(programme.reward, assignment);
    expect(await client.rewards.listAssignments(programme.reward)).toMatchObject({ data: [], total: 0 });
  }),
  'loyalties.listRewardAssignments': answeredBy('list-rewards', async (client) => {
    const all = await client.loyalties.listRewardAssignments('Harbour Crew');
    expect(all).toMatchObject({ ...list, total: 5 });
    expect(all.data.map(({ id }) => id)).toEqual([
      'rewa_large_tin',
      'rewa_tin',
      'rewa_coins',
      'rewa_morning',
      'rewa_beans',
    ]);
    const second = await client.loyalties.listRewardAssignments('camp_crew', { limit: 1, page: 4 });
    expect(second).toMatchObject({ total: 5, data: [{ id: 'rewa_morning', reward_id: 'rew_morning' }] });
  }),
  'loyalties.listLoyaltyTierRewards': answeredBy('list-loyalty-tier-rewards', async (client) => {
    const rewards = await client.loyalties.listLoyaltyTierRewards('Harbour Crew', 'ltr_captain');
    expect(rewards).toMatchObject({ ...list, total: rewards.data.length });
    expect(rewards.data).not.toHaveLength(0);
    for (const { object, reward, assignment } of rewards.data) {
      expect(object).toBe('loyalty_tier_reward');
      expect(assignment.reward_id).toBe(reward.id);
    }
  }),
};

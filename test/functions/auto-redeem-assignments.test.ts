import { describe, expect, test } from 'vitest';
import { given, lists, many, newWorld } from '../support/auto-redeem.ts';
import { exported } from '../support/exported.ts';
import { faultsOf, projectFile } from '../support/project.ts';

const byItself = (reward: string, points = 5) => ({ reward, parameters: { loyalty: { points, auto_redeem: true } } });

describe('the reward that redeems itself', () => {
  test('is marked by the programme in one assignment, also among several at once', async () => {
    const world = await newWorld({ reward_assignments: [] });
    const replies = await Promise.all(
      Array.from({ length: many }, (_, index) => world.assign(byItself(index % 2 === 0 ? 'rew_mug' : 'rew_hat'))),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const keys = new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body.key));
    expect([...keys].every((key) => ['invalid_payload', 'duplicate_found'].includes(key))).toBe(true);
    await world.add('ADA', 5);
    await world.follow();
    expect(await world.balance('ADA')).toBe(0);
    const both = await newWorld({ reward_assignments: [] });
    expect((await both.assign(byItself('rew_mug'), byItself('rew_hat'))).body).toMatchObject({
      code: 400,
      key: 'invalid_payload',
    });
  });

  test('changes with its assignment: off and on again, with its price alone, and another may follow once it is deleted', async () => {
    const world = await newWorld();
    expect((await world.assign(byItself('rew_hat'))).body).toMatchObject({ code: 400, key: 'invalid_payload' });
    expect((await world.change('rewa_mug', { points: 40 })).body.parameters.loyalty).toEqual({
      points: 40,
      auto_redeem: true,
    });
    await world.change('rewa_mug', { points: 40, auto_redeem: false });
    await world.add('ADA', 50);
    await world.follow();
    expect(await world.balance('ADA')).toBe(50);
    const { body: assigned } = await world.assign(byItself('rew_hat'));
    expect((await world.change('rewa_mug', { points: 40, auto_redeem: true })).body.key).toBe('invalid_payload');
    expect((await world.remove(assigned[0].id)).status).toBe(204);
    expect((await world.change('rewa_mug', { points: 40, auto_redeem: true })).status).toBe(200);
    await world.add('ADA', 1);
    await world.follow();
    expect(await world.balance('ADA')).toBe(11);
  });

  test('is in project files, once in a programme', async () => {
    const world = await newWorld({ reward_assignments: [] });
    await world.assign(byItself('rew_hat'));
    const { reward_assignments: written } = await exported(world.id);
    expect(written[0].parameters).toEqual({ loyalty: { points: 5, auto_redeem: true } });
    const file = projectFile({ ...lists, reward_assignments: [given('a', 'rew_mug', 3), given('b', 'rew_hat', 3)] });
    const fault = 'parameters.loyalty.auto_redeem must be true of one assignment of the programme only';
    expect(await faultsOf(file)).toEqual([`reward_assignments[0].${fault}`, `reward_assignments[1].${fault}`]);
  });
});

import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { testDependencies } from '../../../../support/dependencies.ts';
import { faultsOf, loadFile, projectFile } from '../../../../support/project.ts';
import { everyItemOf } from './every-item.ts';

const { dynamodb, tableName } = testDependencies();

describe('a difference to a stored value that cannot change is a fault:', () => {
  test('the date of an activity or a reward assignment, the type of a voucher, a category name', async () => {
    const at = (created_at: string) =>
      ({
        campaigns: [{ id: 'camp_1', name: 'One', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' }],
        categories: [{ id: 'cat_1', name: 'Books' }],
        customers: [{ id: 'cust_1', source_id: 's' }],
        rewards: [{ id: 'rew_1', name: 'Mug', type: 'MATERIAL', parameters: {} }],
        vouchers: Array.from({ length: 120 }, (_, index) => ({ code: `V-${index}`, type: 'DISCOUNT_VOUCHER' })),
        reward_assignments: [
          { id: 'rewa_1', reward_id: 'rew_1', related_object_id: 'One', related_object_type: 'campaign', created_at },
        ],
        activities: [
          { id: 'act_1', type: 't', data: { data: { customer: { id: 'cust_1' } } }, created_at },
          { id: 'act_2', type: 't', data: { data: { customer: { source_id: 's' } } }, created_at },
        ],
      }) as const;
    const file = projectFile(at('2026-01-01T00:00:00.000Z'));
    await loadFile(file);
    const before = await everyItemOf(file.project.id);
    const changed = at('2026-01-02T00:00:00.000Z');
    const vouchers = changed.vouchers.map((voucher, index) =>
      index === 110 ? { ...voucher, type: 'LOYALTY_CARD', loyalty_card: { points: 1 } } : voucher,
    );
    const categories = [{ id: 'cat_2', name: 'Books' }];
    expect(await faultsOf({ ...file, ...changed, vouchers, categories })).toEqual([
      'categories[0].name belongs to another category of the project',
      "reward_assignments[0].created_at differs from the stored value, which can't be changed",
      "vouchers[110].type differs from the stored value, which can't be changed",
      "activities[0].created_at differs from the stored value, which can't be changed",
      "activities[1].created_at differs from the stored value, which can't be changed",
    ]);
    expect(await everyItemOf(file.project.id)).toEqual(before);
    const more = { id: 'act_3', type: 't', data: { data: { customer: { id: 'cust_1' } } } };
    await loadFile({ ...file, activities: [...at('2026-01-01T00:00:00.000Z').activities, more] });
  });

  test('a quantity below the number of redemptions since then is refused', async () => {
    const voucher = (quantity: number) => ({ code: 'A', type: 'DISCOUNT_VOUCHER', redemption: { quantity } });
    const file = projectFile({ vouchers: [voucher(3)] });
    await loadFile(file);
    const [stored] = (await everyItemOf(file.project.id)).filter(({ sk }) => sk === 'VOUCHER');
    await dynamodb.send(new PutCommand({ TableName: tableName, Item: { ...stored, redeemed_quantity: 2 } }));
    await loadFile({ ...file, vouchers: [voucher(2)] });
    expect(await faultsOf({ ...file, vouchers: [voucher(1)] })).toEqual([
      'vouchers[0].redemption.quantity must not be below the quantity that was redeemed since',
    ]);
  });

  test.each([
    ['One', 'Two'],
    ['One', undefined],
    [undefined, 'Two'],
  ])(
    'the campaign %s of a card and of an activity, by which activities are counted, cannot become %s',
    async (before, after) => {
      const campaign = (name: string) => ({ name, campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' });
      const file = (name: string | undefined) => ({
        campaigns: [campaign('One'), campaign('Two')],
        customers: [{ id: 'cust_1' }],
        vouchers: [{ code: 'CARD', type: 'LOYALTY_CARD', loyalty_card: { points: 1 }, campaign: name }],
        activities: [{ id: 'act_1', type: 't', data: { data: { customer: { id: 'cust_1' } } }, campaign: name }],
      });
      const first = projectFile(file(before));
      await loadFile(first);
      expect(await faultsOf({ ...first, ...file(after) })).toEqual([
        'vouchers[0].campaign_id differs from the stored campaign: a card cannot change its campaign',
        "activities[0].campaign_id differs from the stored value, which can't be changed",
      ]);
      await loadFile(first);
    },
  );
});

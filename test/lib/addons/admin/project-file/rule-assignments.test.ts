import { describe, expect, test } from 'vitest';
import { handler as voucherHandler } from '../../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../../support/call.ts';
import { assignedRule } from '../../../../support/lists.ts';
import { credentialsOf, faultsOf, loadFile, projectFile } from '../../../../support/project.ts';
import { everyItemOf } from './every-item.ts';

describe('validation rules assignments', () => {
  const voucher = { code: 'A', type: 'DISCOUNT_VOUCHER' };
  const validation_rules = [{ id: 'val_1', name: 'One' }];
  const assigned = (related_object_id: string) => ({
    validation_rules,
    validation_rules_assignments: [{ rule_id: 'val_1', related_object_id, related_object_type: 'voucher' }],
  });

  test('name a voucher by its code, or by the id in a reply, and by no other id', async () => {
    const file = projectFile({ vouchers: [voucher], ...assigned('A') });
    await loadFile(file);
    const get = async () =>
      (await caller(voucherHandler)({ params: { code: 'A' }, headers: credentialsOf(file) })).body;
    const { id, validation_rules_assignments: list } = await get();
    expect(list.data).toMatchObject([{ rule_id: 'val_1', related_object_id: id }]);

    await loadFile({ ...file, validation_rules_assignments: list.data });
    expect((await get()).validation_rules_assignments).toEqual(list);

    const dangling = ['validation_rules_assignments[0].related_object_id names no voucher of this file'];
    const other = `v_${'x'.repeat(22)}`;
    expect(await faultsOf({ ...file, ...assigned(other) })).toEqual(dangling);
    expect(await faultsOf({ ...projectFile({ vouchers: [voucher] }), ...assigned(id) })).toEqual(dangling);
    const coded = { vouchers: [voucher, { ...voucher, code: other }], ...assigned(other) };
    expect(await faultsOf({ ...file, ...coded })).toEqual([]);
  });

  test('stay unchanged if the file lacks their key, and are removed if their list is empty', async () => {
    const campaign = { id: 'camp_1', name: 'One', campaign_type: 'PROMOTION', type: 'STATIC' };
    const tier = { id: 'promo_1', name: 'T', campaign_id: 'camp_1', hierarchy: 1 };
    const of = (related_object_type: string, related_object_id: string) =>
      assignedRule('val_1', related_object_type, related_object_id);
    const file = projectFile({
      vouchers: [voucher],
      campaigns: [campaign],
      promotion_tiers: [tier],
      validation_rules,
    });
    const assignments = [of('voucher', 'A'), of('campaign', 'One'), of('promotion_tier', 'promo_1')];
    const assignedItems = async () =>
      (await everyItemOf(file.project.id)).filter((item) => 'validation_rules_assignments' in item).map(({ sk }) => sk);
    await loadFile({ ...file, validation_rules_assignments: assignments });
    await loadFile(file);
    expect(await assignedItems()).toEqual(['CAMPAIGN', 'PROMOTION_TIER', 'VOUCHER']);
    await loadFile({ ...file, validation_rules_assignments: [] });
    expect(await assignedItems()).toEqual([]);
  });
});

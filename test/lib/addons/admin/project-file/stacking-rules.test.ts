import { describe, expect, test } from 'vitest';
import { exported } from '../../../../support/exported.ts';
import { faultsOf, loadFile, loadProject, projectFile } from '../../../../support/project.ts';
import { rulesOf } from '../../../../support/stacking-rules.ts';

describe('a project file', () => {
  const categories = ['cat_0', 'cat_1', 'cat_2'].map((id) => ({ id, name: id, hierarchy: 1 }));

  test('has the stacking rules, which stay the same when they are loaded again', async () => {
    const project = await loadProject({ categories });
    const own = rulesOf(project);
    const { body } = await own.create({ joint_categories: ['cat_1'], grouped_redeemables_sorting_rule: null });
    const { stacking_rules: found } = await exported(project.id);
    expect(found).toEqual([{ ...body, updated_at: undefined }].map((one) => JSON.parse(JSON.stringify(one))));
    const copy = await loadProject({ categories, stacking_rules: found });
    expect((await rulesOf(copy).get(body.id)).body).toEqual(body);
  });

  test('changes the existing ones, whose id stays', async () => {
    const project = await loadProject({ categories, stacking_rules: [{ id: 'stk_1', redeemables_limit: 7 }] });
    const own = rulesOf(project);
    await own.held();
    await loadFile({ ...project.file, stacking_rules: [{ redeemables_limit: 8 }] });
    expect((await own.get('stk_1')).body.redeemables_limit).toBe(8);
    expect(await own.held()).toMatchObject({ redeemables_limit: 8 });
  });

  test('is refused with two documents, faults in them, or unknown categories', async () => {
    const faults = (...stacking_rules: object[]) => faultsOf(projectFile({ categories, stacking_rules }));
    expect(await faults({}, {})).toContainEqual(expect.stringContaining('stacking_rules[1] must be the only entry'));
    expect(await faults({ redeemables_limit: 2, applicable_redeemables_limit: 3 })).toEqual([
      'stacking_rules[0].applicable_redeemables_limit must be at most redeemables_limit',
    ]);
    expect(await faults({ joint_categories: ['cat_1', 'cat_9'] })).toEqual([
      expect.stringContaining('stacking_rules[0].joint_categories[1]'),
    ]);
  });
});

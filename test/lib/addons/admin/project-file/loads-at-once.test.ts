import { describe, expect, test } from 'vitest';
import type { ProjectFileError } from '#addons/admin/project-file/faults.ts';
import { clientWith } from '../../../../support/client.ts';
import { testDependencies, testTime, uniqueId } from '../../../../support/dependencies.ts';
import { loadFile, projectFile } from '../../../../support/project.ts';
import { everyItemOf } from './every-item.ts';

/** Faults of a file, while another file is loaded between its check and its writes. */
async function faultsOfRace(content: unknown, meanwhile: unknown): Promise<readonly string[]> {
  let isDone = false;
  const racing = clientWith(testDependencies().dynamodb, async (command, real) => {
    if (command.constructor.name === 'PutCommand' && !isDone) {
      isDone = true;
      await loadFile(meanwhile);
    }
    return real();
  });
  const refusal = loadFile(content, testTime, testDependencies({ dynamodb: racing }));
  await expect(refusal).rejects.toThrow('the load stopped before its end: run it again to continue');
  return refusal.then(
    () => [],
    (error: ProjectFileError) => error.faults,
  );
}

describe('two loads at once want the same: one gets it, and the other says why it has stopped:', () => {
  const campaign = { name: 'One', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' };
  const keyOf = (id: string) => ({ app_keys: [{ app_id: id, app_token: 'token-of-an-application', name: 'A' }] });
  const opsOf = (id: string) => ({
    management_keys: [{ management_id: id, management_token: 'token-of-an-operator' }],
  });
  const [id, own] = [uniqueId('key-'), uniqueId('proj_')];

  test.each<[string, object, object, string]>([
    ['an app key', keyOf(id), keyOf(id), 'app_keys[0] has the id of a key of another project'],
    ['a management key', opsOf(id), opsOf(id), 'management_keys[0] has the id of a key of another project'],
    [
      'a campaign name',
      { campaigns: [{ id: 'camp_1', ...campaign }] },
      { campaigns: [{ id: 'camp_2', ...campaign }] },
      'campaigns[0].name belongs to another campaign of the project',
    ],
    [
      'a source id',
      { customers: [{ id: 'cust_1', source_id: 's' }] },
      { customers: [{ id: 'cust_2', source_id: 's' }] },
      'customers[0].source_id belongs to another customer of the project',
    ],
    [
      'the type of a voucher',
      { vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER' }] },
      { vouchers: [{ type: 'GIFT_VOUCHER', code: 'A', gift: { amount: 5 } }] },
      "vouchers[0].type differs from the stored value, which can't be changed",
    ],
    [
      'a category name',
      { categories: [{ id: 'cat_1', name: 'Books' }] },
      { categories: [{ id: 'cat_2', name: 'Books' }] },
      'categories[0].name belongs to another category of the project',
    ],
  ])('%s', async (_, wanted, meanwhile, fault) => {
    const project = { id: own, name: 'Own' };
    const other = fault.endsWith('another project') ? { id: uniqueId('proj_'), name: 'Other' } : project;
    expect(await faultsOfRace({ project, ...wanted }, { project: other, ...meanwhile })).toEqual([
      `${fault}: another load took it in between; run again`,
    ]);
    const [[field, value] = []] = Object.values(meanwhile)
      .flat()
      .map((entry) => Object.entries(entry)[0] ?? []);
    expect(await everyItemOf(other.id)).toContainEqual(expect.objectContaining({ [String(field)]: value }));
  });

  test('an app key, by two loads that do not know of each other', async () => {
    const first = projectFile();
    const files = [first, { ...projectFile(), app_keys: first.app_keys }];
    const outcomes = await Promise.allSettled(files.map((file) => loadFile(file)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

import { describe, expect, test } from 'vitest';
import { faultsOf, loadFile, projectFile } from '../../../../support/project.ts';

const vouchers = ['SPRING', 'Summer', 'spring', 'SUMMER', 'winter'].map((code) => ({ code, type: 'DISCOUNT_VOUCHER' }));

const file = (settings: object, codes = vouchers) => {
  const { project, ...lists } = projectFile({ vouchers: codes });
  // The setting comes after the vouchers.
  return { ...lists, project: { ...project, ...settings } };
};

const faults = [
  expect.stringContaining('vouchers[2].code differs from vouchers[0].code in case alone'),
  expect.stringContaining('vouchers[3].code differs from vouchers[1].code in case alone'),
];

describe('codes of a file that differ in case alone', () => {
  test('are refused, each at its place, in a project that ignores case', async () => {
    expect(await faultsOf(file({ case_sensitive_codes: false }))).toEqual(faults);
  });

  test('are refused if only the stored project says that case does not count', async () => {
    const first = file({ case_sensitive_codes: false }, []);
    await loadFile(first);
    const { id, name } = first.project;
    expect(await faultsOf({ ...first, vouchers, project: { id, name } })).toEqual(faults);
  });

  test('are different codes in all other projects', async () => {
    await loadFile(file({}));
    await loadFile(file({ case_sensitive_codes: true }));
    expect(await faultsOf(file({}, [...vouchers, ...vouchers.slice(0, 1)]))).toEqual([
      expect.stringContaining('vouchers[5].code repeats vouchers[0].code'),
    ]);
  });

  test('have one fault if they are also equal', async () => {
    const twice = [...vouchers.slice(0, 1), ...vouchers.slice(0, 1)];
    expect(await faultsOf(file({ case_sensitive_codes: false }, twice))).toEqual([
      expect.stringContaining('vouchers[1].code repeats vouchers[0].code'),
    ]);
  });
});

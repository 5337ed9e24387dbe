import { expect, test } from 'vitest';
import { findFactsOfItem } from '#addons/reports/facts/find-facts.ts';
import { vouchers } from '#engine/vouchers/voucher.ts';
import { stripKey } from '#kernel/table/keys.ts';
import { itemMarks } from '#kernel/table/kind.ts';
import { graveOf } from '#kernel/table/tombstone.ts';
import { testTime, uniqueId } from '../../../support/dependencies.ts';

test('a scan makes no facts of a tombstone that only keeps its key, and finds no fault in it', () => {
  const key = vouchers(uniqueId('proj_'), 'v_gone');
  const faults: unknown[] = [];
  const item = { ...stripKey(key), ...itemMarks(key), ...graveOf(testTime) };
  expect(findFactsOfItem(stripKey(key), item, (fault) => faults.push(fault))).toEqual([]);
  expect(faults).toEqual([]);
});

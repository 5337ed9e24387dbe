import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  compareAge,
  cursor,
  isBehind,
  type PlacedCandidate,
  readListBound,
  writeCursor,
} from '#engine/checkout/qualifications/cursor.ts';
import { sortKey } from '#kernel/table/listing.ts';

const created_at = '2026-05-01T00:00:00.012Z';
const letter = fc.constantFrom(...'-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz');
const voucher = fc
  .string({ unit: letter, minLength: 22, maxLength: 22 })
  .map((text): PlacedCandidate => ({ object: 'voucher', id: `v_${text}`, created_at }));
const other = fc
  .tuple(fc.constantFrom('promotion_tier', 'promotion_stack', 'campaign'), fc.string({ maxLength: 20 }))
  .map(([object, id]): PlacedCandidate => ({ object, id, created_at }));

test('a cursor is a time between two equal times, and splits them in their order', () => {
  fc.assert(
    fc.property(fc.oneof(voucher, other), fc.oneof(voucher, other), (one, next) => {
      const text = writeCursor(one, next);
      expect(text).toMatch(/^2026-05-01T00:00:00\.012\d{6}Z$/);
      expect(new Date(text).toISOString()).toBe(created_at);
      const parsed = v.parse(cursor, text);
      expect(isBehind(one, parsed)).toBe(false);
      expect(isBehind(next, parsed)).toBe(compareAge(one, next) < 0);
    }),
  );
});

test('a list that continues from a cursor has all vouchers behind it', () => {
  fc.assert(
    fc.property(fc.oneof(voucher, other), voucher, (one, next) => {
      const parsed = v.parse(cursor, writeCursor(one, next));
      if (isBehind(next, parsed)) expect(sortKey(next.created_at, next.id) <= readListBound(parsed)).toBe(true);
    }),
  );
});

test('vouchers keep the order of their list, before anything else of their time', () => {
  fc.assert(
    fc.property(voucher, voucher, other, (one, two, last) => {
      const [first, second] = one.id > two.id ? [one, two] : [two, one];
      expect(compareAge(first, second)).toBeLessThanOrEqual(0);
      expect(compareAge(second, last)).toBe(-1);
    }),
  );
});

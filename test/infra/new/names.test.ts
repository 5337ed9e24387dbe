import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Complaint } from '../../../infra/command-line.ts';
import { checkOperation, checkResource, pluralOf } from '../../../infra/new/names.ts';
import { House, modules } from '../../../infra/new/places.ts';

const house = await House.read(join(import.meta.dirname, '../../..'));

function complaintOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Complaint) return error.text;
    throw error;
  }
  return 'none';
}

test.each([
  ['count-locations', '"count-locations" must be FAMILY/NAME, such as locations/count-locations.'],
  ['locations/', '"locations/" must be FAMILY/NAME'],
  ['a/b/c', '"a/b/c" must be FAMILY/NAME'],
  ['locations/countLocations', 'The name "countLocations" must be lower-case words with hyphens'],
  ['../lib/count', '"../lib/count" must be FAMILY/NAME'],
  ['Locations/count', 'The family "Locations" must be lower-case words with hyphens'],
  ['locations/get-location', 'functions/locations/get-location.ts exists'],
  // An operation has one name in the whole house.
  ['rewards/get-location', 'functions/locations/get-location.ts exists'],
  ['locations/place-voucher', 'exports placeVoucher'],
])('no operation is made as %s', (given, complaint) => {
  expect(complaintOf(() => checkOperation(house, given))).toContain(complaint);
});

test.each([
  ['Gift-Box', 'gift-boxes', 'The name "Gift-Box" must be lower-case words with hyphens, such as gift-box.'],
  ['gift-box', 'gift_boxes', 'The plural "gift_boxes" must be lower-case words with hyphens'],
  ['sheep', 'sheep', 'The plural "sheep" must differ from the name. Name another by --plural.'],
  ['category', 'categories', 'functions/categories exists'],
  ['category', 'groups', 'exports category'],
  // Items of both would have one kind.
  ['token', 'tokens', 'names the kind TOKEN'],
])('no resource is made as %s with the plural %s', (name, plural, complaint) => {
  expect(complaintOf(() => checkResource(house, name, plural))).toContain(complaint);
});

test('a room that has no use cases, or is unknown, is refused with those that may be named', () => {
  for (const room of ['kit', 'attic']) {
    const complaint = complaintOf(() => checkResource(house, 'gift-box', 'gift-boxes', { room }));
    expect(complaint).toContain(`lib has no room "${room}" for use cases. Name one of `);
    expect(complaint).toContain('catalogue, ');
    expect(complaint).not.toContain('kit,');
  }
});

test('a use case stands in the room of its family', () => {
  expect(checkOperation(house, 'rewards/count-rewards').useCaseFile).toMatch(/\/loyalty\/count-rewards\.ts$/);
  expect(checkOperation(house, 'rewards/count-rewards', { room: 'checkout' }).useCaseFile).toMatch(
    /\/checkout\/count-rew/,
  );
  expect(checkOperation(house, 'segments/count-segments').useCaseFile).toMatch(/\/customers\/count-segments\.ts$/);
  expect(checkOperation(house, 'crates/count-crates').useCaseFile).toMatch(/\/catalogue\/count-crates\.ts$/);
});

test('tokens open it by the scope of its family, of its room, or by the named scope', () => {
  expect(checkOperation(house, 'rewards/count-rewards').scope).toBe('rewards');
  expect(checkOperation(house, 'crates/count-crates', { room: 'customers' }).scope).toBe('customers');
  expect(checkResource(house, 'gift-box', 'gift-boxes', { scope: 'locations' }).scope).toBe('locations');
  const complaint = complaintOf(() => checkResource(house, 'gift-box', 'gift-boxes', { scope: 'boxes' }));
  expect(complaint).toContain('No operation has the scope "boxes". Name one of SKUs, async-actions, ');
});

test.each(['management', 'client', 'oauth'])('no operation for app keys is made in the family %s', (family) => {
  expect(complaintOf(() => checkOperation(house, `${family}/count-rewards`))).toBe(
    `Operations of ${family} are not for app keys. Copy one of them in place of this command.`,
  );
});

test('every module that templates import exists', () => {
  const files = Object.values(modules).map((path) => path.replace('#', 'lib/'));
  expect(files.filter((path) => !house.sources.has(path))).toEqual([]);
});

test.each([
  ['shelf', 'shelves'],
  ['gift-box', 'gift-boxes'],
  ['category', 'categories'],
  ['tray', 'trays'],
  ['crate', 'crates'],
])('the plural of %s is %s', (name, plural) => {
  expect(pluralOf(name)).toBe(plural);
});

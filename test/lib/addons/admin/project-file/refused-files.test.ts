import { describe, expect, test } from 'vitest';
import { hashSecret } from '#kernel/access/projects/secret.ts';
import { uniqueId } from '../../../../support/dependencies.ts';
import { faultsOf, loadFile, projectFile } from '../../../../support/project.ts';
import { everyItemOf } from './every-item.ts';

describe('a faulty file is refused completely', () => {
  const campaign = { id: 'camp_1', name: 'One', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' };
  const voucher = { code: 'A', type: 'DISCOUNT_VOUCHER' };

  test('with every fault at its place, and nothing written', async () => {
    const file = projectFile({
      campaigns: [campaign, { ...campaign, id: 'camp_2' }, { ...campaign, name: 'Two', campaign_type: 'LOTTERY' }],
      vouchers: [
        voucher,
        { ...voucher, campaign_id: 'camp_nope' },
        { code: 'B', type: 'GIFT_VOUCHER' },
        { code: 'C', type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 101 } },
        {
          code: 'D',
          type: 'LOYALTY_CARD',
          loyalty_card: { points: 10, balance: 10, lots: [{ points: 3, expires: null }] },
        },
        {
          code: 'E',
          type: 'DISCOUNT_VOUCHER',
          start_date: '2026-02-30T00:00:00Z',
          expiration_date: '2026-02-01T00:00:00',
        },
        { code: 7, type: 'DISCOUNT_VOUCHER', redemption: { redeemed_quantity: 1.5 } },
        null,
      ],
      earning_rules: [{ campaign_id: 'One', event: 'unknown', active: 'yes', loyalty: { type: 'FIXED', points: -1 } }],
      pending_points: [{ code: 'NOPE', points: 5 }],
      cards: [{}],
      rewards: { id: 'x' },
    });
    const faults = await faultsOf(file);
    expect([...faults].sort()).toEqual(
      [
        'campaigns[1].name repeats campaigns[0].name',
        'campaigns[2].campaign_type must be one of LOYALTY_PROGRAM, GIFT_VOUCHERS, DISCOUNT_COUPONS, PROMOTION, REFERRAL_PROGRAM',
        'cards is not a key of a project file',
        'earning_rules[0].active must be a boolean',
        'earning_rules[0].loyalty.points must be 0 or more',
        'pending_points[0].code names no voucher of this file',
        'rewards must be an array',
        'vouchers[1].code repeats vouchers[0].code',
        'vouchers[1].campaign_id names no campaign of this file',
        'vouchers[2] must have a gift, because it is a GIFT_VOUCHER',
        'vouchers[3].discount.percent_off must be 100 or less',
        'vouchers[4] must have a loyalty_card with lots that add up to its balance',
        'vouchers[5].expiration_date must be an existing ISO 8601 date and time with its offset, such as 2026-01-31T09:30:00Z',
        'vouchers[5].start_date must be an existing ISO 8601 date and time with its offset, such as 2026-01-31T09:30:00Z',
        'vouchers[6].code must be a string',
        'vouchers[6].redemption.redeemed_quantity must be an integer',
        'vouchers[7] must be an object',
      ].sort(),
    );
    expect(await everyItemOf(file.project.id)).toEqual([]);
  });

  test.each([
    ['malformed JSON', '{"project": {"id": "p", }', /^the file is not JSON/],
    ['a cut file', '{"project": {"id": "p"', /^the file is not JSON/],
    ['an empty file', '', /^the file is not JSON/],
    ['an array', '[]', /^the file must be a JSON object/],
    ['text', '"x"', /^the file must be a JSON object/],
    ['no project', '{}', /^project is required/],
    ['a project without a name', '{"project": {"id": "p"}}', /^project\.name is required/],
    [
      'a project id that could reach into another project',
      '{"project": {"id": "p#x", "name": "P"}}',
      /^project\.id must have/,
    ],
    ['a project that is null', '{"project": null}', /^project must be an object/],
  ])('when it is %s', async (_, content, fault) => {
    expect(await faultsOf(content)).toEqual([expect.stringMatching(fault)]);
  });

  test('when its names belong to others in the table: an app key, a campaign name, a source id', async () => {
    const first = projectFile({ campaigns: [campaign], customers: [{ id: 'cust_1', source_id: 's' }] });
    await loadFile(first);
    const thief = { ...projectFile(), app_keys: first.app_keys };
    expect(await faultsOf(thief)).toEqual(['app_keys[0] has the id of a key of another project']);
    expect(await everyItemOf(thief.project.id)).toEqual([]);
    const second = {
      ...first,
      campaigns: [{ ...campaign, id: 'camp_2' }],
      customers: [{ id: 'cust_2', source_id: 's' }],
    };
    expect(await faultsOf(second)).toEqual([
      'campaigns[0].name belongs to another campaign of the project',
      'customers[0].source_id belongs to another customer of the project',
    ]);
    expect(await faultsOf({ ...first, campaigns: [{ ...campaign, name: 'Renamed' }] })).toEqual([
      "campaigns[0].name differs from the stored value, which can't be changed",
    ]);
  });
});

describe('items that are too large are reported at their place', () => {
  const validation_rules = [{ id: 'val_1', name: 'One' }];
  const manyFor = (related_object_type: string, related_object_id: string, count: number) =>
    Array.from({ length: count }, () => ({ rule_id: 'val_1', related_object_id, related_object_type }));

  test('campaigns, vouchers and tiers with their assignments', async () => {
    const metadata = { text: 'x'.repeat(50_000) };
    const file = projectFile({
      vouchers: [
        { code: 'A', type: 'DISCOUNT_VOUCHER', metadata },
        { code: 'B', type: 'DISCOUNT_VOUCHER', metadata },
      ],
      campaigns: [{ id: 'camp_1', name: 'One', campaign_type: 'PROMOTION', type: 'STATIC', metadata }],
      promotion_tiers: [{ id: 'promo_1', name: 'T', campaign_id: 'camp_1', hierarchy: 1, metadata }],
      validation_rules,
      validation_rules_assignments: [
        ...manyFor('voucher', 'B', 1_800),
        ...manyFor('campaign', 'camp_1', 900),
        ...manyFor('campaign', 'One', 900),
        ...manyFor('promotion_tier', 'promo_1', 1_800),
      ],
    });
    const fault = 'must have at most 380000 bytes with its validation rules assignments';
    expect(await faultsOf(file)).toEqual(
      ['vouchers[1]', 'campaigns[0]', 'promotion_tiers[0]'].map((place) =>
        expect.stringContaining(`${place} ${fault}`),
      ),
    );
    await loadFile({ ...file, validation_rules_assignments: manyFor('voucher', 'B', 900) });
  });

  test('the whole event schema, together with the stored one', async () => {
    const events = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `${from + index} ${'x'.repeat(250)}`, metadata: {} }));
    const fault = expect.stringContaining('event_schema must have at most 380000 bytes together');
    expect(await faultsOf(projectFile({ event_schema: events(0, 1_500) }))).toEqual([fault]);
    const file = projectFile({ event_schema: events(0, 1_000) });
    await loadFile(file);
    expect(await faultsOf({ ...file, event_schema: events(1_000, 1_000) })).toEqual([fault]);
  });
});

test.each(['foo', 'constructor', 'toString', '__proto__'])(
  'the unknown key %s is reported, though its list is empty',
  async (key) => {
    const text = JSON.stringify(projectFile());
    const fault = `${key} is not a key of a project file`;
    expect(await faultsOf(`${text.slice(0, -1)}, "${key}": []}`)).toEqual([fault]);
    expect(await faultsOf(`${text.slice(0, -1)}, "${key}": [{}, {}]}`)).toEqual([fault]);
  },
);

test('a key that is in the file twice is refused', async () => {
  const text = JSON.stringify(projectFile({ vouchers: [] }));
  expect(await faultsOf(`${text.slice(0, -1)}, "vouchers": []}`)).toEqual(['vouchers is in the file twice']);
});

describe('a key in a file', () => {
  const keyed = (key: object) => ({ project: { id: uniqueId('proj_'), name: 'K' }, app_keys: [{ name: 'K', ...key }] });

  test.each([
    ['neither a token nor a hash', { app_id: 'a' }, 'app_keys[0] must have either an app_token or an app_token_hash'],
    [
      'both',
      { app_id: 'a', app_token: 'x'.repeat(20), app_token_hash: hashSecret('x') },
      'app_keys[0] must have either an app_token or an app_token_hash',
    ],
    ['an invalid hash', { app_id: 'a', app_token_hash: 'x' }, 'app_keys[0].app_token_hash must be a SHA-256 hash'],
  ])('with %s is refused', async (_, key, fault) => {
    expect(await faultsOf(keyed(key))).toEqual([expect.stringContaining(fault)]);
  });
});

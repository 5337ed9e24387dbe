import { readFile } from 'node:fs/promises';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler as enableHandler } from '../../../functions/vouchers/enable-voucher.ts';
import { handler as voucherHandler } from '../../../functions/vouchers/get-voucher.ts';
import { ProjectFileError } from '../../../lib/project-file/faults.ts';
import { loadProjectFile } from '../../../lib/project-file/load.ts';
import { projectsById } from '../../../lib/projects/project.ts';
import { caller } from '../../support/call.ts';
import { type Command, clientWith } from '../../support/client.ts';
import { testDependencies, testTime, uniqueId } from '../../support/dependencies.ts';
import { credentialsOf, faultsOf, loadCutOff, loadFile, projectFile, withFile } from '../../support/project.ts';

type File = Record<string, unknown> & ReturnType<typeof projectFile>;

const { dynamodb, tableName } = testDependencies();

/** Every item of a project, without the token hashes of other projects: what a load has left behind. */
async function itemsOf(projectId: string) {
  const items: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: tableName,
        FilterExpression: 'begins_with(pk, :project) OR project_id = :id',
        ExpressionAttributeValues: { ':project': `${projectId}#`, ':id': projectId },
        ...(start ? { ExclusiveStartKey: start } : {}),
      }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items.sort((a, b) => `${a.pk} ${a.sk}`.localeCompare(`${b.pk} ${b.sk}`));
}

/** The example of the format, under a project and keys of its own. */
async function acme(): Promise<File> {
  const file = JSON.parse(await readFile(new URL('../../support/acme.json', import.meta.url), 'utf8'));
  const id = uniqueId('proj_');
  return {
    ...file,
    project: { ...file.project, id },
    app_keys: file.app_keys.map((key: { app_id: string }) => ({ ...key, app_id: `${id}-${key.app_id}` })),
    management_keys: [{ management_id: `${id}-ops`, management_token: 'token-of-an-operator' }],
  };
}

describe('a project file with every key of the format', () => {
  let file: File;
  beforeAll(async () => {
    file = await acme();
    await loadFile(file);
  });

  test('is served: every voucher by code and by id, as the file has it', async () => {
    const get = caller(voucherHandler);
    const headers = credentialsOf(file);
    const vouchers = file.vouchers as Record<string, unknown>[];
    for (const voucher of vouchers) {
      const { status, body } = await get({ params: { code: String(voucher.code) }, headers });
      expect(status).toBe(200);
      const { loyalty_card, campaign_id, campaign, start_date, expiration_date, ...plain } = voucher;
      expect(body).toMatchObject(plain);
      if (loyalty_card) {
        const { lots, ...figures } = loyalty_card as { lots?: unknown };
        expect(body.loyalty_card).toMatchObject(figures);
      }
      if (campaign_id) expect(body.campaign_id).toBe(campaign_id);
      if (campaign) expect(body.campaign).toBe(campaign);
      if (start_date) expect([body.start_date, body.expiration_date]).toEqual([start_date, expiration_date]);
      expect((await get({ params: { code: body.id }, headers })).body).toEqual(body);
    }
  });

  test('stores tokens only as hashes', async () => {
    const stored = JSON.stringify(await itemsOf(file.project.id));
    for (const { app_token } of file.app_keys) expect(stored).not.toContain(app_token);
  });

  test('changes nothing when it is loaded again, at another time', async () => {
    const before = await itemsOf(file.project.id);
    await loadFile(file, new Date('2026-07-01T00:00:00Z'));
    expect(await itemsOf(file.project.id)).toEqual(before);
  });
});

describe('loading again', () => {
  const card = {
    code: 'CARD',
    type: 'LOYALTY_CARD',
    loyalty_card: { points: 100 },
    redemption: { redeemed_points: 0 },
  };
  const gift = { code: 'GIFT', type: 'GIFT_VOUCHER', gift: { amount: 500 } };
  const plain = {
    code: 'PLAIN',
    type: 'DISCOUNT_VOUCHER',
    additional_info: 'first',
    expiration_date: '2027-01-01T00:00:00Z',
    redemption: { quantity: 5 },
  };

  test('changes what the file defines, removes what it no longer has, and leaves figures that have moved', async () => {
    const file = projectFile({ vouchers: [card, gift, plain] });
    await loadFile(file);
    const items = await itemsOf(file.project.id);
    const moved: Record<string, object> = {
      CARD: { credited_points: 150, lots: [{ points: 90, expires: null }], redeemed_points: 60, redeemed_quantity: 1 },
      GIFT: { gift_balance: 100, redeemed_amount: 400, redeemed_quantity: 2 },
      PLAIN: { redeemed_quantity: 4, updated_at: '2026-06-20T00:00:00.000Z' },
    };
    const { insertItem } = await writer();
    for (const item of items) if (moved[String(item.code)]) await insertItem({ ...item, ...moved[String(item.code)] });

    const { expiration_date, ...kept } = plain;
    const changed = { ...kept, additional_info: 'second', redemption: { quantity: 6, redeemed_quantity: 0 } };
    await loadFile({ ...file, vouchers: [card, { ...gift, metadata: { a: 1 } }, changed] });
    const get = caller(voucherHandler);
    const read = async (code: string) => (await get({ params: { code }, headers: credentialsOf(file) })).body;
    expect(await read('CARD')).toMatchObject({
      loyalty_card: { points: 150, balance: 90 },
      redemption: { redeemed_points: 60, redeemed_quantity: 1 },
    });
    expect(await read('GIFT')).toMatchObject({
      metadata: { a: 1 },
      gift: { amount: 500, balance: 100 },
      redemption: { redeemed_amount: 400, redeemed_quantity: 2 },
    });
    expect(await read('PLAIN')).toMatchObject({
      additional_info: 'second',
      expiration_date: null,
      redemption: { quantity: 6, redeemed_quantity: 4 },
      updated_at: '2026-06-20T00:00:00.000Z',
    });
  });

  test('gives entries without ids the same ids', async () => {
    const file = projectFile({
      categories: [{ name: 'One' }],
      campaigns: [{ name: 'Nameless', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC', category: 'One' }],
      customers: [{ source_id: 'shop-1' }, { name: 'Nobody' }, { name: 'Nobody' }],
      vouchers: [{ ...card, campaign: 'Nameless' }],
      earning_rules: [{ campaign_id: 'Nameless', event: 'e', active: true, loyalty: { type: 'FIXED', points: 1 } }],
      event_schema: [{ name: 'e', metadata: {} }],
      activities: [{ type: 'customer.confirmed', data: { data: { customer: { source_id: 'shop-1' } } } }],
      pending_points: [{ code: 'CARD', points: 1 }],
    });
    await loadFile(file);
    const before = await itemsOf(file.project.id);
    await loadFile(file, new Date('2026-08-01T00:00:00Z'));
    expect(await itemsOf(file.project.id)).toEqual(before);
    expect(before.filter(({ sk }) => sk === 'CUSTOMER')).toHaveLength(3);
    const customer = before.find(({ source_id }) => source_id === 'shop-1');
    expect(before.find(({ type }) => type === 'customer.confirmed')).toMatchObject({
      data: { data: { customer: { id: customer?.id } } },
    });
  });

  test('by several loaders at once ends as one load does', async () => {
    const file = projectFile({
      categories: Array.from({ length: 5 }, (_, index) => ({ name: `Category ${index}` })),
      vouchers: Array.from({ length: 60 }, (_, index) => ({ ...card, code: `CARD-${index}` })),
    });
    await Promise.all([loadFile(file), loadFile(file), loadFile(file)]);
    const before = await itemsOf(file.project.id);
    await loadFile(file);
    expect(await itemsOf(file.project.id)).toEqual(before);
    const get = caller(enableHandler);
    expect((await get({ params: { code: 'CARD-59' }, headers: credentialsOf(file) })).status).toBe(200);
  });
});

/** Puts items as they are, as a use case that moves figures would leave them. */
async function writer() {
  const { PutCommand } = await import('@aws-sdk/lib-dynamodb');
  return {
    insertItem: (item: Record<string, unknown>) => dynamodb.send(new PutCommand({ TableName: tableName, Item: item })),
  };
}

describe('a file that is not right is refused whole', () => {
  const campaign = { id: 'camp_1', name: 'One', campaign_type: 'LOYALTY_PROGRAM', type: 'STATIC' };
  const voucher = { code: 'A', type: 'DISCOUNT_VOUCHER' };

  test('with every fault told by its place, and nothing written', async () => {
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
        'campaigns[1].name repeats that of campaigns[0]',
        'campaigns[2].campaign_type must be one of LOYALTY_PROGRAM, GIFT_VOUCHERS, DISCOUNT_COUPONS, PROMOTION, REFERRAL_PROGRAM',
        'cards is no key of a project file',
        'earning_rules[0].active must be a boolean',
        'earning_rules[0].loyalty.points must be 0 or more',
        'pending_points[0].code names no voucher of this file',
        'rewards must be an array',
        'vouchers[1].code repeats that of vouchers[0]',
        'vouchers[1].campaign_id names no campaign of this file',
        'vouchers[2] must have a gift, being a GIFT_VOUCHER',
        'vouchers[3].discount.percent_off must be 100 or less',
        'vouchers[4] must have a loyalty_card whose lots add up to its balance',
        'vouchers[5].expiration_date must be an existing ISO 8601 date and time with its offset, such as 2026-01-31T09:30:00Z',
        'vouchers[5].start_date must be an existing ISO 8601 date and time with its offset, such as 2026-01-31T09:30:00Z',
        'vouchers[6].code must be a string',
        'vouchers[6].redemption.redeemed_quantity must be an integer',
        'vouchers[7] must be an object',
      ].sort(),
    );
    expect(await itemsOf(file.project.id)).toEqual([]);
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

  test('when it takes what the table has for another: an app key, a campaign name, a source id', async () => {
    const first = projectFile({ campaigns: [campaign], customers: [{ id: 'cust_1', source_id: 's' }] });
    await loadFile(first);
    const thief = { ...projectFile(), app_keys: first.app_keys };
    expect(await faultsOf(thief)).toEqual(['app_keys[0] has the id of a key of another project']);
    expect(await itemsOf(thief.project.id)).toEqual([]);
    const second = {
      ...first,
      campaigns: [{ ...campaign, id: 'camp_2' }],
      customers: [{ id: 'cust_2', source_id: 's' }],
    };
    expect(await faultsOf(second)).toEqual([
      'campaigns[0].name is that of another campaign of the project',
      'customers[0].source_id is that of another customer of the project',
    ]);
    expect(await faultsOf({ ...first, campaigns: [{ ...campaign, name: 'Renamed' }] })).toEqual([
      "campaigns[0].name differs from the stored one, which can't be changed",
    ]);
  });
});

/** Faults of a file that is loaded while another is loaded between its check and its writes. */
async function faultsOfRace(content: unknown, meanwhile: unknown): Promise<readonly string[]> {
  let isDone = false;
  const racing = clientWith(dynamodb, async (command, real) => {
    if (command.constructor.name === 'PutCommand' && !isDone) {
      isDone = true;
      await loadFile(meanwhile);
    }
    return real();
  });
  const refusal = loadFile(content, testTime, testDependencies({ dynamodb: racing }));
  await expect(refusal).rejects.toThrow('the load has stopped on its way, and goes on when it is run again');
  return refusal.then(
    () => [],
    (error: ProjectFileError) => error.faults,
  );
}

describe('of two loads at once that want the same, one gets it and the other says why it has stopped:', () => {
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
      'campaigns[0].name is that of another campaign of the project',
    ],
    [
      'a source id',
      { customers: [{ id: 'cust_1', source_id: 's' }] },
      { customers: [{ id: 'cust_2', source_id: 's' }] },
      'customers[0].source_id is that of another customer of the project',
    ],
    [
      'the type of a voucher',
      { vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER' }] },
      { vouchers: [{ type: 'GIFT_VOUCHER', code: 'A', gift: { amount: 5 } }] },
      "vouchers[0].type differs from the stored one, which can't be changed",
    ],
    [
      'a category name',
      { categories: [{ id: 'cat_1', name: 'Books' }] },
      { categories: [{ id: 'cat_2', name: 'Books' }] },
      'categories[0].name is that of another category of the project',
    ],
  ])('%s', async (_, wanted, meanwhile, fault) => {
    const project = { id: own, name: 'Own' };
    const other = fault.endsWith('another project') ? { id: uniqueId('proj_'), name: 'Other' } : project;
    expect(await faultsOfRace({ project, ...wanted }, { project: other, ...meanwhile })).toEqual([
      `${fault}: another load took it meanwhile; run again`,
    ]);
    const [[field, value] = []] = Object.values(meanwhile)
      .flat()
      .map((entry) => Object.entries(entry)[0] ?? []);
    expect(await itemsOf(other.id)).toContainEqual(expect.objectContaining({ [String(field)]: value }));
  });

  test('an app key, by two loads that know nothing of each other', async () => {
    const first = projectFile();
    const files = [first, { ...projectFile(), app_keys: first.app_keys }];
    const outcomes = await Promise.allSettled(files.map((file) => loadFile(file)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('validation rules assignments', () => {
  const voucher = { code: 'A', type: 'DISCOUNT_VOUCHER' };
  const validation_rules = [{ id: 'val_1', name: 'One' }];
  const assigned = (related_object_id: string) => ({
    validation_rules,
    validation_rules_assignments: [{ rule_id: 'val_1', related_object_id, related_object_type: 'voucher' }],
  });

  test('name a voucher by its code, or by the id that a reply has; no other id', async () => {
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

  test('stay as they are when the file does not have their key, and go when it is empty', async () => {
    const campaign = { id: 'camp_1', name: 'One', campaign_type: 'PROMOTION', type: 'STATIC' };
    const tier = { id: 'promo_1', name: 'T', campaign_id: 'camp_1', hierarchy: 1 };
    const of = (related_object_type: string, related_object_id: string) => ({
      rule_id: 'val_1',
      related_object_id,
      related_object_type,
    });
    const file = projectFile({
      vouchers: [voucher],
      campaigns: [campaign],
      promotion_tiers: [tier],
      validation_rules,
    });
    const assignments = [of('voucher', 'A'), of('campaign', 'One'), of('promotion_tier', 'promo_1')];
    const assignedItems = async () =>
      (await itemsOf(file.project.id)).filter((item) => 'validation_rules_assignments' in item).map(({ sk }) => sk);
    await loadFile({ ...file, validation_rules_assignments: assignments });
    await loadFile(file);
    expect(await assignedItems()).toEqual(['CAMPAIGN', 'PROMOTION_TIER', 'VOUCHER']);
    await loadFile({ ...file, validation_rules_assignments: [] });
    expect(await assignedItems()).toEqual([]);
  });
});

describe('what the table has and can not be changed is a fault:', () => {
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
    const before = await itemsOf(file.project.id);
    const changed = at('2026-01-02T00:00:00.000Z');
    const vouchers = changed.vouchers.map((voucher, index) =>
      index === 110 ? { ...voucher, type: 'LOYALTY_CARD', loyalty_card: { points: 1 } } : voucher,
    );
    const categories = [{ id: 'cat_2', name: 'Books' }];
    expect(await faultsOf({ ...file, ...changed, vouchers, categories })).toEqual([
      'categories[0].name is that of another category of the project',
      "reward_assignments[0].created_at differs from the stored one, which can't be changed",
      "vouchers[110].type differs from the stored one, which can't be changed",
      "activities[0].created_at differs from the stored one, which can't be changed",
      "activities[1].created_at differs from the stored one, which can't be changed",
    ]);
    expect(await itemsOf(file.project.id)).toEqual(before);
    const more = { id: 'act_3', type: 't', data: { data: { customer: { id: 'cust_1' } } } };
    await loadFile({ ...file, activities: [...at('2026-01-01T00:00:00.000Z').activities, more] });
  });

  test('more than a quantity allows has been redeemed since', async () => {
    const voucher = (quantity: number) => ({ code: 'A', type: 'DISCOUNT_VOUCHER', redemption: { quantity } });
    const file = projectFile({ vouchers: [voucher(3)] });
    await loadFile(file);
    const [stored] = (await itemsOf(file.project.id)).filter(({ sk }) => sk === 'VOUCHER');
    await (await writer()).insertItem({ ...stored, redeemed_quantity: 2 });
    await loadFile({ ...file, vouchers: [voucher(2)] });
    expect(await faultsOf({ ...file, vouchers: [voucher(1)] })).toEqual([
      'vouchers[0].redemption.quantity must not be below what was redeemed since',
    ]);
  });

  test.each([
    ['One', 'Two'],
    ['One', undefined],
    [undefined, 'Two'],
  ])(
    'the campaign %s of a card and of an activity, by which activities are counted, is not %s',
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
        "vouchers[0].campaign_id differs from the stored one: a card stays its campaign's",
        "activities[0].campaign_id differs from the stored one, which can't be changed",
      ]);
      await loadFile(first);
    },
  );
});

describe('items that are too large are told by their place', () => {
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

  test('the whole event schema, with what is stored of it', async () => {
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
  'the unknown key %s is told, though its list is empty',
  async (key) => {
    const text = JSON.stringify(projectFile());
    const fault = `${key} is no key of a project file`;
    expect(await faultsOf(`${text.slice(0, -1)}, "${key}": []}`)).toEqual([fault]);
    expect(await faultsOf(`${text.slice(0, -1)}, "${key}": [{}, {}]}`)).toEqual([fault]);
  },
);

test('a key that stands in the file twice is told', async () => {
  const text = JSON.stringify(projectFile({ vouchers: [] }));
  expect(await faultsOf(`${text.slice(0, -1)}, "vouchers": []}`)).toEqual(['vouchers stands in the file twice']);
});

test('what the API has changed stays when the same file is loaded unless it is; another file is loaded', async () => {
  const file = projectFile({ vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER', active: false }] });
  const start = (content: unknown) =>
    withFile(content, (path) => loadProjectFile(path, { dynamodb, tableName, now: testTime, unlessLoaded: true }));
  const active = async () =>
    (await caller(voucherHandler)({ params: { code: 'A' }, headers: credentialsOf(file) })).body.active;
  const report = await start(file);
  await caller(enableHandler)({ params: { code: 'A' }, headers: credentialsOf(file) });
  expect(await start(file)).toEqual(report);
  expect(await active()).toBe(true);
  await start({ ...file, project: { ...file.project, name: 'Renamed' } });
  expect(await active()).toBe(false);

  // A load that was cut off leaves the table with neither file whole.
  await caller(enableHandler)({ params: { code: 'A' }, headers: credentialsOf(file) });
  await expect(loadCutOff(file, ({ input }) => 'Statements' in input)).rejects.toThrow('cut off');
  await start({ ...file, project: { ...file.project, name: 'Renamed' } });
  expect(await active()).toBe(false);
  await expect(start('{"project": 1}')).rejects.toThrow(ProjectFileError);
});

test('a load that was cut off before its keys has opened nothing, and goes on when it is run again', async () => {
  const file = projectFile({ vouchers: [{ code: 'A', type: 'DISCOUNT_VOUCHER' }] });
  const opens = (command: Command) => JSON.stringify(command.input).includes('"sk":"APP_KEY"');
  await expect(loadCutOff(file, opens)).rejects.toThrow('cut off');
  const get = () => caller(voucherHandler)({ params: { code: 'A' }, headers: credentialsOf(file) });
  expect((await get()).status).toBe(401);
  await loadFile(file);
  expect((await get()).status).toBe(200);
  expect(projectsById(file.project.id).pk).toBe(`${file.project.id}#PROJECT`);
});

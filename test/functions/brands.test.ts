import { describe, expect, test } from 'vitest';
import { handler as create } from '../../functions/management/create-brand.ts';
import { handler as remove } from '../../functions/management/delete-brand.ts';
import { handler as get } from '../../functions/management/get-brand.ts';
import { handler as list } from '../../functions/management/list-brands.ts';
import { handler as update } from '../../functions/management/update-brand.ts';
import { caller } from '../support/call.ts';
import { testDependencies, uniqueId } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

const body = {
  brand: { name: 'Quay Coffee', website_url: 'https://quay.example' },
  address: { street: '1 Quay', city: 'Bergen', postal: '5003', country: 'Norway' },
  contact: { email: 'ahoy@quay.example' },
};

async function world(projectId?: string) {
  const id = projectId ?? (await loadProject()).id;
  const dependencies = testDependencies();
  const call = (handler: Parameters<typeof caller>[0], brandingId?: string, sent?: object) =>
    caller(
      handler,
      dependencies,
    )({
      params: { projectId: id, ...(brandingId === undefined ? {} : { brandingId }) },
      ...(sent ? { body: sent } : {}),
    });
  return {
    create: (sent: object = body) => call(create, undefined, sent),
    list: () => call(list),
    get: (brandingId: string) => call(get, brandingId),
    update: (brandingId: string, sent: object) => call(update, brandingId, sent),
    remove: (brandingId: string) => call(remove, brandingId),
  };
}

describe('the brand of a project', () => {
  test('is created with the sent fields and defaults, changes field by field, and is deleted', async () => {
    const own = await world();
    expect((await own.list()).body).toMatchObject({ object: 'list', data: [], total: 0 });
    const { status, body: made } = await own.create();
    expect([status, made]).toEqual([
      200,
      {
        id: expect.stringMatching(/^brd_/),
        brand: {
          ...body.brand,
          privacy_policy_url: null,
          terms_of_use_url: null,
          permission_reminder: expect.any(String),
        },
        address: { ...body.address, state: null },
        contact: { ...body.contact, phone: null },
        cockpits: expect.objectContaining({ loyalty_enabled: true, theme: 'default' }),
      },
    ]);
    expect((await own.get(made.id)).body).toEqual(made);
    const { body: changed } = await own.update(made.id, {
      brand: { website_url: null },
      contact: { phone: '+47 1' },
      cockpits: { loyalty_enabled: false },
    });
    expect(changed).toEqual({
      ...made,
      brand: { ...made.brand, website_url: null },
      contact: { ...made.contact, phone: '+47 1' },
      cockpits: { ...made.cockpits, loyalty_enabled: false },
    });
    expect((await own.list()).body).toMatchObject({ data: [changed], total: 1 });
    expect((await own.remove(made.id)).status).toBe(204);
    for (const reply of [await own.get(made.id), await own.update(made.id, {}), await own.remove(made.id)]) {
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'branding_details', resource_id: made.id });
    }
    expect((await own.create()).status).toBe(200);
  });

  test('exists once, even if twenty callers create it at once', async () => {
    const own = await world();
    const replies = await Promise.all(Array.from({ length: 20 }, () => own.create()));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = replies.find(({ status }) => status !== 200);
    expect(refused?.body).toMatchObject({ code: 409, key: 'branding_exist', resource_type: 'branding_details' });
    expect((await own.list()).body.total).toBe(1);
  });

  test('keeps the changes of twenty callers who each change another field at once', async () => {
    const own = await world();
    const { body: made } = await own.create();
    const fields = ['street', 'city', 'postal', 'country'];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => own.update(made.id, { address: { [fields[index % 4] ?? '']: 'new' } })),
    );
    const address = { street: 'new', city: 'new', postal: 'new', country: 'new', state: null };
    expect((await own.get(made.id)).body.address).toEqual(address);
  });

  test('needs a name, an address and an e-mail address, and a refusal names all missing ones', async () => {
    const own = await world();
    const { body: refused } = await own.create({ brand: {}, address: { city: 7 } });
    expect(refused).toMatchObject({ code: 400, key: 'invalid_payload' });
    for (const place of ['brand.name', 'address.street', 'address.city', 'contact']) {
      expect(refused.details).toContain(place);
    }
  });

  test('has one of the published themes', async () => {
    const own = await world();
    const { body: made } = await own.create({ ...body, cockpits: { theme: 'dark-green' } });
    expect(made.cockpits.theme).toBe('dark-green');
    expect((await own.update(made.id, { cockpits: { theme: 'light' } })).body).toMatchObject({
      key: 'invalid_payload',
      details: 'cockpits.theme must be one of blue, dark-green, default, green, grey, orange, purple, red',
    });
  });

  test('belongs to an existing project', async () => {
    const own = await world(uniqueId('proj_'));
    for (const reply of [await own.create(), await own.list()]) {
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'project' });
    }
  });
});

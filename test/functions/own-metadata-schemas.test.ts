import { describe, expect, test } from 'vitest';
import { handler as getManaged } from '../../functions/management/get-project-metadata-schema.ts';
import { handler as createOwn } from '../../functions/metadata-schemas/create-own-metadata-schema.ts';
import { handler as deleteOwn } from '../../functions/metadata-schemas/delete-own-metadata-schema.ts';
import { handler as getPublic } from '../../functions/metadata-schemas/get-metadata-schema.ts';
import { handler as listPublic } from '../../functions/metadata-schemas/list-metadata-schemas.ts';
import { handler as updateOwn } from '../../functions/metadata-schemas/update-own-metadata-schema.ts';
import { handler as createProduct } from '../../functions/products/create-product.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

async function world() {
  const project = await loadProject({});
  const dependencies = testDependencies();
  const call = (handler: Parameters<typeof caller>[0], request: object) =>
    caller(handler, dependencies)({ headers: project.credentials, ...request });
  return {
    get: (metadataSchemaId: string) => call(getManaged, { params: { projectId: project.id, metadataSchemaId } }),
    createOwn: (body: object) => call(createOwn, { body }),
    updateOwn: (resource: string, body: object) => call(updateOwn, { params: { resource }, body }),
    deleteOwn: (resource: string) => call(deleteOwn, { params: { resource } }),
    getPublic: (resource: string) => call(getPublic, { params: { resource } }),
    listPublic: () => call(listPublic, {}),
    createProduct: (metadata: object) => call(createProduct, { body: { name: 'Tin', metadata } }),
  };
}

const size = { type: 'number', array: false, optional: true };

describe('a server of the project', () => {
  test('creates a schema whose reply it can send back without losing a limit', async () => {
    const own = await world();
    const made = await own.createOwn({
      related_object: 'product',
      properties: { note: { type: 'string', max_length: 5 } },
    });
    expect([made.status, made.body.properties.note]).toMatchObject([200, { type: 'string', maxLength: 5 }]);
    expect((await own.createProduct({ note: 'longer' })).body.key).toBe('metadata_validation_failed');
    const { properties } = made.body;
    const sentBack = await own.updateOwn('product', { properties });
    expect([sentBack.status, sentBack.body.properties]).toEqual([200, properties]);
    expect((await own.createOwn({ related_object: 'product', properties: {} })).body.key).toBe('duplicate_found');
  });

  test('updates and deletes a schema by its id and by its name, as a manager does', async () => {
    const own = await world();
    const { body: made } = await own.createOwn({ related_object: 'product', properties: { size } });
    const changed = await own.updateOwn(made.id, { properties: { colour: { type: 'string' } } });
    expect(Object.keys(changed.body.properties).sort()).toEqual(['colour', 'size']);
    const { body: shown } = await own.get(made.id);
    expect(shown.updated_at).toBe(changed.body.updated_at);
    const turned = await own.updateOwn('product', { properties: { size: { type: 'string' } } });
    expect([turned.status, turned.body.key]).toEqual([400, 'invalid_payload']);
    expect((await own.getPublic(made.id)).body.id).toBe(made.id);
    expect((await own.deleteOwn('product')).status).toBe(204);
    expect((await own.deleteOwn(made.id)).status).toBe(404);
    expect((await own.listPublic()).body.total).toBe(0);
  });
});

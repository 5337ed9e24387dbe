import { expect } from 'vitest';
import { answeredBy, type Case } from './case.ts';

/** Rows for the client's methods about background work and settings: async actions, exports, metadata schemas. */
export const jobCases: Record<string, Case> = {
  'asyncActions.list': answeredBy('list-async-actions', async (client) => {
    const { async_actions } = await client.asyncActions.list({ limit: 1, end_date: '2030-01-01T00:00:00Z' });
    expect(async_actions).toHaveLength(1);
  }),
  'asyncActions.get': answeredBy('get-async-action', async (client) => {
    const action = await client.asyncActions.get('aa_of_the_example');
    expect(action).toMatchObject({ type: 'CAMPAIGN.VOUCHERS_UPDATE', status: 'DONE', object: 'async_action' });
  }),
  'metadataSchemas.list': answeredBy('list-metadata-schemas', async (client) => {
    const { schemas } = await client.metadataSchemas.list();
    expect(schemas).toContainEqual(expect.objectContaining({ related_object: 'product', object: 'metadata_schema' }));
  }),
  'metadataSchemas.get': answeredBy('get-metadata-schema', async (client) => {
    const { properties } = await client.metadataSchemas.get('product');
    expect(properties).toMatchObject({ roast: { type: 'string', optional: true } });
  }),
  'distributions.exports.create': answeredBy('create-export', async (client, runJobs) => {
    const { id } = await client.distributions.exports.create({
      exported_object: 'customer',
      parameters: { fields: ['source_id'] },
    });
    await runJobs();
    const made = await client.distributions.exports.get(id);
    expect(made).toMatchObject({ exported_object: 'customer', status: 'DONE', result: { url: expect.any(String) } });
  }),
  'distributions.exports.get': answeredBy('get-export', async (client) => {
    expect(await client.distributions.exports.get('exp_of_the_example')).toMatchObject({
      object: 'export',
      status: 'DONE',
    });
  }),
  'distributions.exports.list': answeredBy('list-exports', async (client) => {
    const { exports, total } = await client.distributions.exports.list({ limit: 1, order: 'created_at' });
    expect([exports.length, total]).toEqual([1, expect.any(Number)]);
  }),
  'distributions.exports.delete': answeredBy('delete-export', async (client) => {
    const { id } = await client.distributions.exports.create({ exported_object: 'customer' });
    await client.distributions.exports.delete(id);
    await expect(client.distributions.exports.get(id)).rejects.toMatchObject({ code: 404 });
  }),
};

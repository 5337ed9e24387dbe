import { describe, expect, test } from 'vitest';
import { handler as enableHandler } from '../../functions/vouchers/enable-voucher.ts';
import { handler } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { coldDependencies } from '../support/dependencies.ts';
import { credentialsOf, loadFile, loadProject, projectFile } from '../support/project.ts';
import { loadVouchers, vouchers } from '../support/voucher-kinds.ts';

const project = await loadVouchers();

const get = (code: string, headers = project.credentials) => caller(handler)({ params: { code }, headers });

describe('a voucher is found', () => {
  test('by its code and by its id alike', async () => {
    for (const { code } of vouchers) {
      const byCode = await get(code);
      expect(byCode.status).toBe(200);
      expect(byCode.body.code).toBe(code);
      expect((await get(byCode.body.id)).body).toEqual(byCode.body);
    }
  });

  test('by a code in the form of an id before the voucher that has this id', async () => {
    const file = projectFile({ vouchers: [{ code: 'FIRST', type: 'DISCOUNT_VOUCHER' }] });
    await loadFile(file);
    const call = caller(handler);
    const read = async (code: string) => (await call({ params: { code }, headers: credentialsOf(file) })).body;
    const { id } = await read('FIRST');
    expect((await read(id)).code).toBe('FIRST');
    await loadFile({ ...file, vouchers: [...file.vouchers, { code: id, type: 'DISCOUNT_VOUCHER' }] });
    expect((await read(id)).code).toBe(id);
    const enable = caller(enableHandler);
    expect((await enable({ params: { code: id }, headers: credentialsOf(file) })).body).toMatchObject({
      code: id,
      active: true,
    });
    expect(await read('FIRST')).toMatchObject({ active: null });
  });

  test.each(['spring-1', 'SPRING-1-', 'NOPE', 'x'.repeat(300), 'v_0123456789012345678901', '\u0000', '🎟'])(
    'only under exactly its code: %j is missing',
    async (code) => {
      const { status, body } = await get(code);
      expect(status).toBe(404);
      expect(body).toMatchObject({ key: 'not_found', resource_id: code, resource_type: 'voucher' });
    },
  );

  test('only by its own project: another project finds neither its code nor its id', async () => {
    const other = await loadProject();
    const { body: mine } = await get('SPRING-1');
    for (const code of ['SPRING-1', mine.id]) {
      const foreign = await get(code, other.credentials);
      const unknown = await get('NOPE', other.credentials);
      expect(foreign.status).toBe(404);
      expect({ ...foreign.body, request_id: '', resource_id: '' }).toEqual({
        ...unknown.body,
        request_id: '',
        resource_id: '',
      });
    }
  });
});

test('a warm call makes two DynamoDB calls for a voucher of a campaign, and one for a loose one', async () => {
  const dependencies = coldDependencies();
  const call = caller(handler, dependencies);
  const costOf = async (code: string) => {
    await call({ params: { code }, headers: project.credentials });
    return JSON.parse(dependencies.lines.at(-1) ?? '').dynamodb_calls;
  };
  // These calls read the app key and the project. The category follows only once the campaign names it.
  expect(await costOf('SPRING-1')).toBe(5);
  expect(await costOf('SPRING-1')).toBe(2);
  expect(await costOf('SPRING-OWN')).toBe(2);
  expect(await costOf('CLUB-1')).toBe(2);
  expect(await costOf('LOOSE')).toBe(1);
});

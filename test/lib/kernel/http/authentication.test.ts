import { describe, expect, test } from 'vitest';
import { handler } from '../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../support/call.ts';
import { standingClock, testDependencies } from '../../../support/dependencies.ts';
import { credentialsOf, loadFile, loadProject, projectFile } from '../../../support/project.ts';

const vouchers = [{ code: 'ONE', type: 'DISCOUNT_VOUCHER' }];

const project = await loadProject({ vouchers });

const params = { code: 'ONE' };

describe('app headers', () => {
  test('open the project of their key', async () => {
    expect((await caller(handler)({ params, headers: project.credentials })).status).toBe(200);
  });

  test('are all refused in the same words if they are missing, incomplete, wrong or of a disabled key', async () => {
    const file = projectFile({ vouchers });
    const [key] = file.app_keys;
    const offFile = { ...file, app_keys: [{ ...key, active: false }] };
    await loadFile(offFile);
    const { 'x-app-id': id = '', 'x-app-token': token = '' } = project.credentials;
    const other = await loadProject();
    const refused: Record<string, string>[] = [
      {},
      { 'x-app-id': id },
      { 'x-app-token': token },
      { 'x-app-id': id, 'x-app-token': '' },
      { 'x-app-id': '', 'x-app-token': token },
      { 'x-app-id': 'nobody', 'x-app-token': token },
      { 'x-app-id': id, 'x-app-token': `${token}x` },
      { 'x-app-id': id, 'x-app-token': token.toUpperCase() },
      { 'x-app-id': id, 'x-app-token': other.credentials['x-app-token'] ?? '' },
      { 'x-app-id': `${id}#${id}`, 'x-app-token': token },
      { 'x-app-id': 'x'.repeat(10_000), 'x-app-token': 'y'.repeat(10_000) },
      credentialsOf(file),
    ];
    const replies = await Promise.all(refused.map((headers) => caller(handler)({ params, headers })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
    expect(new Set(replies.map(({ body }) => JSON.stringify({ ...body, request_id: '' }))).size).toBe(1);
  });

  test('cost a refused caller one read, whichever of the two is wrong and whether the key was seen before or not', async () => {
    const dependencies = testDependencies();
    const call = caller(handler, dependencies);
    const refusedCost = async (headers: Record<string, string>) => {
      await call({ params, headers });
      const { status, dynamodb_calls, write_units } = JSON.parse(dependencies.lines.at(-1) ?? '');
      return { status, dynamodb_calls, write_units };
    };
    const oneRead = { status: 401, dynamodb_calls: 1, write_units: 0 };
    const wrongToken = { ...project.credentials, 'x-app-token': 'wrong' };
    const wrongId = { ...project.credentials, 'x-app-id': 'wrong' };
    expect(await refusedCost(wrongToken)).toEqual(oneRead);
    expect(await refusedCost(wrongId)).toEqual(oneRead);
    expect((await call({ params, headers: project.credentials })).status).toBe(200);
    expect(await refusedCost(wrongToken)).toEqual(oneRead);
    expect(await refusedCost(wrongId)).toEqual(oneRead);
  });
});

describe('a key that changes', () => {
  test('stops within 60 seconds after it is disabled, in a container that knew it', async () => {
    const file = projectFile({ vouchers });
    await loadFile(file);
    const clock = standingClock();
    const call = caller(handler, testDependencies({ clock }));
    const status = async () => (await call({ params, headers: credentialsOf(file) })).status;
    expect(await status()).toBe(200);
    await loadFile({ ...file, app_keys: [{ ...file.app_keys[0], active: false }] });
    clock.advance(60);
    expect(await status()).toBe(401);
  });

  test('works with its new token at once, and not with the old one after 60 seconds', async () => {
    const file = projectFile({ vouchers });
    await loadFile(file);
    const clock = standingClock();
    const call = caller(handler, testDependencies({ clock }));
    const status = async (headers: Record<string, string>) => (await call({ params, headers })).status;
    expect(await status(credentialsOf(file))).toBe(200);
    const renewed = {
      ...file,
      app_keys: file.app_keys.map((key) => ({ ...key, app_token: 'renewed-token-of-the-key' })),
    };
    await loadFile(renewed);
    expect(await status(credentialsOf(renewed))).toBe(200);
    clock.advance(60);
    expect(await status(credentialsOf(file))).toBe(401);
  });
});

import { describe, expect, test } from 'vitest';
import { hashSecret } from '#kernel/access/projects/secret.ts';
import { tokensByHash } from '#kernel/access/tokens/token.ts';
import { Table } from '#kernel/table/table.ts';
import { handler as introspectHandler } from '../../functions/oauth/introspect-token.ts';
import { handler as issueHandler } from '../../functions/oauth/issue-token.ts';
import { handler as revokeHandler } from '../../functions/oauth/revoke-token.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies, testTime } from '../support/dependencies.ts';
import { credentialsOf, loadFile, loadProject, projectFile, type TestProject } from '../support/project.ts';
import { form, issueToken } from '../support/tokens.ts';

const project = await loadProject();

const noneSuch = 'A'.repeat(43);

describe('a token request', () => {
  const call = caller(issueHandler);
  const ask = (body: string | undefined, headers: Record<string, string> = form) =>
    call({ headers: { ...project.credentials, ...headers }, ...(body === undefined ? {} : { body }) });

  test.each([
    ['plus signs', 'grant_type=client_credentials&scope=api+vouchers'],
    ['%20', 'grant_type=client_credentials&scope=api%20vouchers'],
    ['fields in reverse order', 'scope=api+vouchers&grant_type=client_credentials'],
    ['unknown fields', 'grant_type=client_credentials&scope=api+vouchers&audience=x'],
  ])('gets one, with the form written with %s', async (_, body) => {
    const reply = await ask(body);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'Cache-Control': 'no-store' });
    const expiresAt = testTime.getTime() / 1000 + 900;
    expect(reply.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      client_id: project.credentials['x-app-id'],
      expires_at: expiresAt,
      expires_in: 900,
      scope: 'api vouchers',
      token_type: 'Bearer',
    });
  });

  test('accepts the form base64-encoded, as the gateway may send it, and with a charset', async () => {
    const body = 'grant_type=client_credentials&scope=SKUs';
    const headers = { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' };
    expect((await ask(body, headers)).body).toMatchObject({ scope: 'SKUs' });
    const encoded = await call({
      headers: { ...project.credentials, ...form },
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
    });
    expect(encoded.body).toMatchObject({ scope: 'SKUs' });
  });

  test('gets another one each time, each scope once, in the requested order', async () => {
    const body = 'grant_type=client_credentials&scope=vouchers+api+vouchers';
    const [first, second] = [await ask(body), await ask(body)];
    expect(first.body.scope).toBe('vouchers api');
    expect(first.body.access_token).not.toBe(second.body.access_token);
  });

  const json = { 'content-type': 'application/json' };
  test.each([
    ['a JSON body', '{"grant_type":"client_credentials","scope":"api"}', json, 415, 'unsupported_media_type', 'form'],
    ['a body without a type', 'grant_type=client_credentials&scope=api', {}, 415, 'unsupported_media_type', 'form'],
    ['no body', undefined, form, 400, 'missing_parameters', 'grant_type and scope'],
    ['no body and no type', undefined, {}, 400, 'missing_parameters', 'grant_type and scope'],
    ['no scope', 'grant_type=client_credentials', form, 400, 'missing_parameters', 'scope'],
    ['no grant', 'scope=api', form, 400, 'missing_parameters', 'grant_type'],
    ['another grant', 'grant_type=password&scope=api', form, 400, 'invalid_grant_type', 'client_credentials'],
    ['an empty grant', 'grant_type=&scope=api', form, 400, 'invalid_grant_type', 'client_credentials'],
    ['an empty scope', 'grant_type=client_credentials&scope=', form, 400, 'invalid_scope', 'at least one'],
    ['a comma', 'grant_type=client_credentials&scope=api,vouchers', form, 400, 'invalid_scope', '","'],
    [
      'a doubled space',
      'grant_type=client_credentials&scope=api++vouchers',
      form,
      400,
      'invalid_scope',
      'single spaces',
    ],
    ['a leading space', 'grant_type=client_credentials&scope=+api', form, 400, 'invalid_scope', 'single spaces'],
    ['an unknown scope', 'grant_type=client_credentials&scope=api+coupons', form, 400, 'invalid_scope', '"coupons"'],
    [
      'a repeated field',
      'grant_type=client_credentials&scope=api&scope=api',
      form,
      400,
      'invalid_payload',
      'scope must be sent once',
    ],
  ])('is refused with %s, saying why', async (_, body, headers, status, key, named) => {
    const reply = await ask(body, headers);
    expect([reply.status, reply.body.key]).toEqual([status, key]);
    expect(reply.body.details).toContain(named);
  });

  test('needs the two app headers; a bearer token or Basic credentials do not replace them', async () => {
    const token = await issueToken(project.credentials, 'api');
    const body = 'grant_type=client_credentials&scope=api';
    const { 'x-app-id': id = '', 'x-app-token': secret = '' } = project.credentials;
    for (const headers of [
      {},
      { authorization: `Bearer ${token}` },
      { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
      { 'x-app-id': id, 'x-app-token': 'wrong' },
    ]) {
      const reply = await call({ headers: { ...form, ...headers }, body });
      expect([reply.status, reply.body.key]).toEqual([401, 'unauthorized']);
    }
    const renewing = { ...project.credentials, ...form, authorization: 'Bearer expired' };
    expect((await call({ headers: renewing, body })).status).toBe(200);
  });

  test('leaves only the hash of the token in the table', async () => {
    const token = await issueToken(project.credentials, 'api');
    const { dynamodb, tableName } = testDependencies();
    const [stored] = await new Table(dynamodb, tableName, testTime).getMany([tokensByHash(hashSecret(token))]);
    expect(stored).toMatchObject({ project_id: project.id });
    expect(JSON.stringify(stored)).not.toContain(token);
  });
});

describe('introspection', () => {
  const introspect = async (
    access_token: string,
    {
      of = project,
      dependencies = testDependencies(),
    }: { of?: TestProject; dependencies?: ReturnType<typeof testDependencies> } = {},
  ) => {
    const body = new URLSearchParams({ access_token }).toString();
    const reply = await caller(introspectHandler, dependencies)({ headers: { ...of.credentials, ...form }, body });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'Cache-Control': 'no-store' });
    return reply.body;
  };

  test('describes a token, with the seconds left counting down and a fixed end', async () => {
    const clock = standingClock();
    const dependencies = testDependencies({ clock });
    const token = await issueToken(project.credentials, 'vouchers SKUs', dependencies);
    const expiresAt = testTime.getTime() / 1000 + 900;
    const active = {
      access_token: token,
      active: true,
      client_id: project.credentials['x-app-id'],
      expires_at: expiresAt,
      scope: 'vouchers SKUs',
      token_type: 'Bearer',
    };
    expect(await introspect(token, { dependencies })).toEqual({ ...active, expires_in: 900 });
    clock.advance(100);
    expect(await introspect(token, { dependencies })).toEqual({ ...active, expires_in: 800 });
    clock.advance(799.999);
    expect(await introspect(token, { dependencies })).toEqual({ ...active, expires_in: 1 });
    clock.advance(0.001);
    expect(await introspect(token, { dependencies })).toEqual({ active: false });
  });

  test('says about an unknown, odd or foreign token only that it is not active', async () => {
    const other = await loadProject();
    const token = await issueToken(project.credentials, 'api');
    expect(await introspect(token, { of: other })).toEqual({ active: false });
    for (const odd of [noneSuch, '', ' ', 'x'.repeat(10_000), `${token}x`, token.slice(1), '\u0000']) {
      expect(await introspect(odd)).toEqual({ active: false });
    }
  });

  test('says so about a revoked token at once, and about a disabled key within 60 seconds', async () => {
    const dependencies = testDependencies();
    const token = await issueToken(project.credentials, 'api', dependencies);
    expect((await introspect(token, { dependencies })).active).toBe(true);
    const body = new URLSearchParams({ access_token: token }).toString();
    await caller(revokeHandler)({ headers: { ...project.credentials, ...form }, body });
    expect(await introspect(token, { dependencies })).toEqual({ active: false });

    const file = projectFile();
    const second = { app_id: `second-${file.project.id}`, app_token: 'token-of-the-second-key', name: 'Second' };
    await loadFile({ ...file, app_keys: [...file.app_keys, second] });
    const of = { id: file.project.id, credentials: credentialsOf(file), file };
    const clock = standingClock();
    const warm = testDependencies({ clock });
    const stopped = await issueToken({ 'x-app-id': second.app_id, 'x-app-token': second.app_token }, 'api', warm);
    expect((await introspect(stopped, { of, dependencies: warm })).active).toBe(true);
    await loadFile({ ...file, app_keys: [...file.app_keys, { ...second, active: false }] });
    clock.advance(60);
    expect(await introspect(stopped, { of, dependencies: warm })).toEqual({ active: false });
  });

  test.each([
    ['no field', 'token=x', form, 400, 'missing_parameters'],
    ['no body', undefined, form, 400, 'missing_parameters'],
    ['a JSON body', '{"access_token":"x"}', { 'content-type': 'application/json' }, 415, 'unsupported_media_type'],
    ['a repeated field', 'access_token=x&access_token=x', form, 400, 'invalid_payload'],
  ])('is refused with %s', async (_, body, headers, status, key) => {
    const request = { headers: { ...project.credentials, ...headers }, ...(body === undefined ? {} : { body }) };
    const reply = await caller(introspectHandler)(request);
    expect([reply.status, reply.body.key]).toEqual([status, key]);
  });
});

describe('revocation', () => {
  const revoke = (body: string, of = project) =>
    caller(revokeHandler)({ headers: { ...of.credentials, ...form }, body });

  test('removes a token once: 204 without a body, then 404', async () => {
    const body = `access_token=${await issueToken(project.credentials, 'api')}`;
    const first = await revoke(body);
    expect([first.status, first.body]).toEqual([204, '']);
    const second = await revoke(body);
    expect([second.status, second.body.key]).toEqual([404, 'not_found']);
  });

  test('by twenty callers at once is one 204 and nineteen 404', async () => {
    const body = `access_token=${await issueToken(project.credentials, 'api')}`;
    const replies = await Promise.all(Array.from({ length: 20 }, () => revoke(body)));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
  });

  test('finds no unknown, expired or foreign token, and leaves a foreign one unchanged', async () => {
    const other = await loadProject();
    const token = await issueToken(project.credentials, 'api');
    expect((await revoke(`access_token=${token}`, other)).status).toBe(404);
    const introspected = await caller(introspectHandler)({
      headers: { ...project.credentials, ...form },
      body: `access_token=${token}`,
    });
    expect(introspected.body.active).toBe(true);
    expect((await revoke(`access_token=${noneSuch}`)).status).toBe(404);
    const late = testDependencies({ clock: standingClock(new Date(testTime.getTime() + 900_000)) });
    const headers = { ...project.credentials, ...form };
    expect((await caller(revokeHandler, late)({ headers, body: `access_token=${token}` })).status).toBe(404);
    expect((await revoke('')).body.key).toBe('missing_parameters');
  });

  test('never shows the token again', async () => {
    const reply = await revoke(`access_token=${noneSuch}`);
    expect(JSON.stringify(reply.body)).not.toContain(noneSuch);
  });
});

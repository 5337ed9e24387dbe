import { describe, expect, test } from 'vitest';
import { CredentialCache } from '#kernel/http/credential-cache.ts';
import { handler as listForPage } from '../../functions/client/list-vouchers-for-page.ts';
import { handler as publish } from '../../functions/client/publish-from-page.ts';
import { handler as redeem } from '../../functions/client/redeem-from-page.ts';
import { handler as sendEvent } from '../../functions/client/send-client-event.ts';
import { handler as validate } from '../../functions/client/validate-from-page.ts';
import { handler as createVoucher } from '../../functions/vouchers/create-voucher.ts';
import { handler as listVouchers } from '../../functions/vouchers/list-vouchers.ts';
import { testDependencies, uniqueId } from '../support/dependencies.ts';
import { asPage, asServer, callCold, manageProjects, projectBody } from '../support/managed-projects.ts';
import { loadFile, loadProject, projectFile } from '../support/project.ts';

const own = manageProjects();

describe('a project that a request creates', () => {
  test('shows its settings and, once, two keys that work', async () => {
    const body = projectBody({
      description: 'Coffee',
      client_redeem_enabled: true,
      default_code_config: { length: 6 },
    });
    const { status, body: made } = await own.create(body);
    const { server_side_key, client_side_key, ...shown } = made;
    expect([status, shown]).toEqual([
      200,
      {
        ...body,
        id: expect.stringMatching(/^proj_/),
        client_set_voucher_expiration_date_enabled: false,
        client_publish_enabled: false,
        client_list_vouchers_enabled: false,
        client_create_customer_enabled: false,
        client_loyalty_events_enabled: false,
        client_trusted_domains: [],
        cluster_id: 'eu1',
        is_sandbox: false,
        webhook_token: expect.stringMatching(/^[\w-]{43}$/),
        week_starts_on: 'MONDAY',
        created_at: expect.any(String),
        object: 'project',
      },
    ]);
    expect((await own.get(made.id)).body).toEqual(shown);
    expect((await own.list()).body.data).toContainEqual(shown);
    expect((await callCold(listVouchers, asServer(server_side_key))).status).toBe(200);
    expect((await callCold(listVouchers, asServer(client_side_key))).status).toBe(401);
  });

  test('changes by the sent settings alone, also to false and to an empty list', async () => {
    const { body: made } = await own.create(
      projectBody({ client_redeem_enabled: true, client_trusted_domains: ['*'] }),
    );
    const { server_side_key: _, client_side_key: __, ...before } = made;
    const sent = {
      timezone: 'America/New_York',
      client_redeem_enabled: false,
      client_publish_enabled: true,
      client_trusted_domains: [],
      api_usage_notifications: { api_calls: { enabled: true, value: 80, emails: ['ops@mail.example'] } },
    };
    const { body: after } = await own.update(made.id, sent);
    expect(after).toEqual({ ...before, ...sent, updated_at: expect.any(String) });
    expect((await own.get(made.id)).body).toEqual(after);
  });

  test('keeps whether case counts in its codes, whatever a change says', async () => {
    const { body: made } = await own.create();
    expect((await own.update(made.id, { case_sensitive_codes: false })).body.case_sensitive_codes).toBe(true);
  });

  test.each([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['no word on case', { case_sensitive_codes: undefined }],
    ['an unknown time zone', { timezone: 'Europe/Atlantis' }],
    ['an offset as time zone', { timezone: '+01:00' }],
    ['an unknown currency', { currency: 'XQQ' }],
    ['a currency in lower case', { currency: 'eur' }],
    ['a domain with a path', { client_trusted_domains: ['https://shop.example/cart'] }],
    ['a domain with a wildcard inside', { client_trusted_domains: ['shop.*.example'] }],
    ['a code without a generated character', { default_code_config: { pattern: 'SAME' } }],
    ['a share above 90 %', { api_usage_notifications: { messages: { value: 91 } } }],
    ['another version of webhooks', { webhook_version: 'v2020-01-01' }],
  ])('is refused with %s', async (_, wrong) => {
    expect((await own.create({ ...projectBody(), ...wrong })).body).toMatchObject({
      code: 400,
      key: 'invalid_payload',
    });
  });

  test.each(['us1', 'eu1'])('ignores that its cluster is %s, because a deployment has only one', async (cluster_id) => {
    const { status, body } = await own.create(projectBody({ cluster_id }));
    expect([status, body.cluster_id]).toEqual([200, 'eu1']);
  });
});

describe('the name of a project', () => {
  test('goes to one of twenty creations at once, and the others leave nothing', async () => {
    const body = projectBody();
    const replies = await Promise.all(Array.from({ length: 20 }, () => own.create(body)));
    const made = replies.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    for (const { status, body: refused } of replies.filter((one) => !made.includes(one))) {
      expect([status, refused.key, refused.resource_id]).toEqual([409, 'duplicate_found', body.name]);
    }
    const listed = (await own.list()).body.data.filter(({ name }: { name: string }) => name === body.name);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([made[0]?.body.id]);
  });

  test('becomes free when it changes, and when the project is deleted', async () => {
    const body = projectBody();
    const { id } = (await own.create(body)).body;
    const renamed = uniqueId('Other ');
    expect((await own.update(id, { name: body.name })).status).toBe(200);
    expect((await own.update(id, { name: renamed })).body.name).toBe(renamed);
    const { status, body: second } = await own.create(body);
    expect(status).toBe(200);
    expect((await own.update(id, { name: body.name })).body.key).toBe('duplicate_found');
    expect((await own.remove(second.id)).status).toBe(204);
    expect((await own.update(id, { name: body.name })).body.name).toBe(body.name);
  });
});

describe('a project of a file', () => {
  test('is shown with the usual settings, tells codes apart by case, and changes by requests', async () => {
    const { id } = await loadProject();
    expect((await own.get(id)).body).toMatchObject({ id, timezone: 'UTC', case_sensitive_codes: true });
    expect((await own.update(id, { currency: 'EUR', timezone: 'GMT' })).body).toMatchObject({
      currency: 'EUR',
      timezone: 'GMT',
    });
  });

  test('keeps the settings of requests when a file is loaded that does not name them', async () => {
    const file = projectFile();
    await loadFile(file);
    const { id } = file.project;
    const settings = { currency: 'EUR', timezone: 'Asia/Tokyo', description: 'By request' };
    await own.update(id, settings);
    await loadFile({ ...file, project: { ...file.project, description: 'By file' } });
    expect((await own.get(id)).body).toMatchObject({ ...settings, description: 'By file' });
  });
});

describe('a management key of one project', () => {
  const keys = (project: { id: string }) => ({
    'x-management-id': `ops-${project.id}`,
    'x-management-token': `token-of-operators-${project.id}`,
  });

  test('sees and changes its project alone, creates none, and is refused after the deletion of the project', async () => {
    const file = projectFile();
    const { id } = file.project;
    await loadFile({
      ...file,
      management_keys: [{ management_id: `ops-${id}`, management_token: `token-of-operators-${id}` }],
    });
    const other = await loadProject();
    const guarded = { ...testDependencies(), managementGuard: 'keys' as const };
    const manager = manageProjects(guarded, keys(file.project));
    expect((await manager.list()).body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await manager.create()).body.key).toBe('forbidden');
    for (const reply of [
      await manager.get(other.id),
      await manager.update(other.id, { currency: 'EUR' }),
      await manager.remove(other.id),
      await manager.listKeys(other.id),
      await manager.createKey(other.id, { type: 'SERVER', name: 'Mine' }),
      await manager.rotateKey(other.id, 'any'),
      await manager.revokeKey(other.id, 'any'),
    ]) {
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'project', resource_id: other.id });
    }
    expect((await manager.remove(id)).status).toBe(204);
    const cold = manageProjects({ ...guarded, credentialCache: new CredentialCache() }, keys(file.project));
    expect((await cold.get(id)).status).toBe(401);
  });
});

const origin = 'https://shop.example';

describe('trusted domains of a project', () => {
  test.each([
    ['https://shop.example', origin, true],
    ['shop.example', origin, true],
    ['*.example', origin, true],
    ['*', 'https://anything.example', true],
    ['localhost:8080', 'http://localhost:8080', true],
    ['https://shop.example', 'http://shop.example', false],
    ['shop.example', 'https://shop.example.evil.test', false],
    ['shop.example', 'https://evilshop.example', false],
    ['*.shop.example', origin, false],
    ['*.example', 'https://example', false],
  ])('%s, seen from %s: %s', async (domain, from, isLetIn) => {
    const { body: made } = await own.create(projectBody({ client_trusted_domains: [domain] }));
    const reply = await callCold(validate, asPage(made.client_side_key, from), {
      body: { redeemables: [{ object: 'voucher', id: 'X' }] },
    });
    expect(reply.status).toBe(isLetIn ? 200 : 401);
  });

  test('let no page in while there are none, and a page of the key in always', async () => {
    const { body: made } = await own.create();
    const body = { redeemables: [{ object: 'voucher', id: 'X' }] };
    expect((await callCold(validate, asPage(made.client_side_key, origin), { body })).status).toBe(401);
    const { body: key } = await own.createKey(made.id, { type: 'CLIENT', name: 'Shop', origins: [origin] });
    const pair = { app_id: key.id, app_token: key.token };
    expect((await callCold(validate, asPage(pair, origin), { body })).status).toBe(200);
    expect((await callCold(validate, asPage(pair, 'https://other.example'), { body })).status).toBe(401);
  });
});

describe('a switch for pages', () => {
  const customer = { source_id: 'crm-1' };
  const rows = [
    ['client_redeem_enabled', redeem, { body: { redeemables: [{ object: 'voucher', id: 'X' }] } }],
    ['client_publish_enabled', publish, { body: { campaign: { name: 'None' }, customer } }],
    ['client_list_vouchers_enabled', listForPage, { query: 'customer=crm-1' }],
    ['client_loyalty_events_enabled', sendEvent, { body: { event: 'none', customer } }],
  ] as const;

  test.each(rows)('%s lets pages in or refuses them', async (name, handler, request) => {
    const keyOf = async (isOn: boolean) =>
      (await own.create(projectBody({ client_trusted_domains: ['*'], [name]: isOn }))).body.client_side_key;
    const refused = await callCold(handler, asPage(await keyOf(false), origin), request);
    expect(refused.body.key).toBe('client_side_disabled');
    const letIn = await callCold(handler, asPage(await keyOf(true), origin), request);
    expect(letIn.body.key).not.toBe('client_side_disabled');
    expect([401, 403]).not.toContain(letIn.status);
  });
});

describe('the default form of codes', () => {
  test('makes codes that are generated without a form, and fills in what a form leaves open', async () => {
    const { body: made } = await own.create(
      projectBody({ default_code_config: { length: 5, charset: 'AB', prefix: 'OSLO-' } }),
    );
    const voucher = async (more: object) => {
      const body = { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 }, ...more };
      return (await callCold(createVoucher, asServer(made.server_side_key), { body })).body.code;
    };
    expect(await voucher({})).toMatch(/^OSLO-[AB]{5}$/);
    expect(await voucher({ code_config: { length: 7 } })).toMatch(/^OSLO-[AB]{7}$/);
    expect(await voucher({ code_config: { pattern: '##-##', charset: '9', prefix: '' } })).toBe('99-99');
  });
});

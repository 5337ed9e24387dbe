import { describe, expect, test } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { handler as createWebhook } from '../../functions/management/create-webhook.ts';
import { handler as getDelivery } from '../../functions/management/get-webhook-delivery.ts';
import { handler as getSecret } from '../../functions/management/get-webhook-secret.ts';
import { handler as listDeliveries } from '../../functions/management/list-webhook-deliveries.ts';
import { handler as rotateSecret } from '../../functions/management/rotate-webhook-secret.ts';
import { handler as sendTest } from '../../functions/management/test-webhook.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { manageProjects } from '../support/managed-projects.ts';
import { loadWithKeys, newUser } from '../support/users.ts';

/** A role that only reads must not be able to sign in the name of the project. */

const dependencies = testDependencies({ managementGuard: 'keys' });
const readers = ['USER', 'VIEWER', 'role_editor'];
const { id: projectId, headers } = await loadWithKeys(['ADMIN', ...readers].map((role) => [newUser(), role] as const));
const [owner = {}] = headers;
const headersOf = (role: string) => headers[readers.indexOf(role) + 1] ?? {};

const call = (handler: Endpoint, sent: Record<string, string>, more: { params?: object; body?: object } = {}) =>
  caller(handler, dependencies)({ ...more, headers: sent, params: { projectId, ...more.params } });

const { body: secret } = await call(getSecret, owner);
const { webhook_token: token } = (await manageProjects(dependencies, owner).get(projectId)).body;
const target = { target_url: 'https://crm.example/hooks', events: ['customer.created'] };
const { body: webhook } = await call(createWebhook, owner, { body: target });
const ofWebhook = { params: { webhookId: webhook.id } };
const { body: delivery } = await call(sendTest, owner, { ...ofWebhook, body: { type: 'customer.created' } });
const ofDelivery = { params: { webhookId: webhook.id, deliveryId: delivery.id } };

describe('an owner reads', () => {
  test('the secret, the token of the project, and the signatures of a delivery', async () => {
    expect(secret.secret).toMatch(/^whsec_/);
    expect(token).toMatch(/^[\w-]{43}$/);
    const { request } = (await call(getDelivery, owner, ofDelivery)).body;
    expect(request.headers).toMatchObject({
      'webhook-signature': expect.stringMatching(/^v1,/),
      'x-voucherify-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe.each(readers)('a %s, who may only read under management,', (role) => {
  test('is refused the secret', async () => {
    const { status, body } = await call(getSecret, headersOf(role));
    expect([status, body.key]).toEqual([403, 'forbidden']);
    expect(body.details).toContain(`the role ${role} of the user does not allow to write management`);
  });

  test('rotates no token, and an owner replaces a token that the user knew before', async () => {
    const refused = await call(rotateSecret, headersOf(role), { body: { what: 'token' } });
    expect([refused.status, refused.body.key]).toEqual([403, 'forbidden']);
    const { body: rotated } = await call(rotateSecret, owner, { body: { what: 'token', keep_previous: false } });
    expect(rotated.token).not.toBe(token);
  });

  test('reads the project without its token, alone and in the list', async () => {
    const projects = manageProjects(dependencies, headersOf(role));
    for (const { status, body } of [await projects.get(projectId), await projects.list()]) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain(projectId);
      expect(JSON.stringify(body)).not.toContain('webhook_token');
    }
  });

  test('reads the log of deliveries with their bodies, and without their signatures', async () => {
    const { status, body } = await call(getDelivery, headersOf(role), ofDelivery);
    expect(status).toBe(200);
    expect(JSON.parse(body.request.body)).toMatchObject({ type: 'customer.created', data: { test: true } });
    expect(body.request.headers).toEqual({});
    const list = await call(listDeliveries, headersOf(role), ofWebhook);
    for (const reply of [body, list.body]) {
      expect(JSON.stringify(reply)).not.toMatch(/signature|whsec_/);
    }
  });
});

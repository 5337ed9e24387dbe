import { describe, expect, test } from 'vitest';
import { handler as create } from '../../functions/management/create-webhook.ts';
import { handler as remove } from '../../functions/management/delete-webhook.ts';
import { handler as get } from '../../functions/management/get-webhook.ts';
import { handler as readSecret } from '../../functions/management/get-webhook-secret.ts';
import { handler as list } from '../../functions/management/list-webhooks.ts';
import { handler as rotate } from '../../functions/management/rotate-webhook-secret.ts';
import { handler as update } from '../../functions/management/update-webhook.ts';
import { caller } from '../support/call.ts';
import { standingClock, testDependencies, uniqueId } from '../support/dependencies.ts';
import { exported } from '../support/exported.ts';
import { faultsOf, loadProject, projectFile } from '../support/project.ts';

const body = { target_url: 'https://crm.example/hooks', events: ['redemption.succeeded', 'customer.created'] };

async function world(projectId?: string) {
  const id = projectId ?? (await loadProject()).id;
  const clock = standingClock();
  const dependencies = testDependencies({ clock });
  const call = (handler: Parameters<typeof caller>[0], webhookId?: string, sent?: object) =>
    caller(
      handler,
      dependencies,
    )({
      params: { projectId: id, ...(webhookId === undefined ? {} : { webhookId }) },
      ...(sent ? { body: sent } : {}),
    });
  return {
    id,
    clock,
    create: (sent: object = body) => call(create, undefined, sent),
    list: () => call(list),
    get: (webhookId: string) => call(get, webhookId),
    update: (webhookId: string, sent: object) => call(update, webhookId, sent),
    remove: (webhookId: string) => call(remove, webhookId),
    secret: async () => (await call(readSecret)).body,
    rotate: async (sent: object = {}) => (await call(rotate, undefined, sent)).body,
  };
}

describe('a webhook', () => {
  test('is created active, read, listed newest first, changed field by field, and deleted', async () => {
    const own = await world();
    const { status, body: made } = await own.create();
    expect([status, made]).toEqual([
      200,
      { id: expect.stringMatching(/^wh_/), ...body, active: true, created_at: expect.any(String), object: 'webhook' },
    ]);
    expect((await own.get(made.id)).body).toEqual(made);
    const { body: second } = await own.create({ ...body, target_url: 'https://erp.example/in', active: false });
    expect((await own.list()).body).toMatchObject({ object: 'list', data: [second, made], total: 2 });
    const { body: changed } = await own.update(made.id, { events: ['voucher.created'] });
    expect(changed).toEqual({ ...made, events: ['voucher.created'], updated_at: expect.any(String) });
    expect((await own.update(made.id, { active: false })).body).toMatchObject({
      ...body,
      events: ['voucher.created'],
      active: false,
    });
    expect((await own.remove(made.id)).status).toBe(204);
    for (const reply of [await own.get(made.id), await own.update(made.id, {}), await own.remove(made.id)]) {
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'webhook', resource_id: made.id });
    }
  });

  test('with an id of its own choice stands where its creation puts it', async () => {
    const old = { id: 'wh_zz', ...body, created_at: '2026-01-01T00:00:00.000Z' };
    const own = await world((await loadProject({ webhooks: [old] })).id);
    const { body: made } = await own.create({ ...body, target_url: 'https://erp.example/in' });
    expect((await own.list()).body.data.map(({ id }: { id: string }) => id)).toEqual([made.id, 'wh_zz']);
  });

  test('takes the four misspelt types of the public list under their right names, and activities of customers', async () => {
    const own = await world();
    const events = [
      'campaign.vouchers.aded',
      'voucher.gift.balance_aded',
      'voucher.loyalty_card.points_aded',
      'voucher.loyalty_card.pending_points.aded',
      'voucher.gift.balance_added',
      'customer.segment.entered',
    ];
    expect((await own.create({ ...body, events })).body.events).toEqual([
      'campaign.vouchers.added',
      'voucher.gift.balance_added',
      'voucher.loyalty_card.points_added',
      'voucher.loyalty_card.pending_points.added',
      'customer.segment.entered',
    ]);
  });

  test.each([
    [{ ...body, events: ['voucher.create'] }, 'is voucher.created meant?'],
    [{ ...body, events: ['nonsense'] }, 'events[0] must be a type of event'],
    [{ ...body, events: [] }, 'events must name a type of event'],
    [{ ...body, target_url: 'http://crm.example/hooks' }, 'target_url must be an https address'],
    [{ ...body, target_url: 'https://me:secret@crm.example' }, 'target_url must be an https address'],
    [{ ...body, target_url: 'ftp://crm.example' }, 'target_url must be an https address'],
    [{ ...body, target_url: `https://crm.example/${'a'.repeat(2_048)}` }, 'target_url must have at most 2048'],
  ])('%# is refused with words that help', async (sent, words) => {
    const { body: refused } = await (await world()).create(sent);
    expect(refused).toMatchObject({ code: 400, key: 'invalid_payload' });
    expect(refused.details).toContain(words);
  });

  test('has a target of its own, even if twenty callers create it at once', async () => {
    const own = await world();
    const replies = await Promise.all(Array.from({ length: 20 }, () => own.create()));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = replies.find(({ status }) => status !== 200);
    expect(refused?.body).toMatchObject({ code: 409, key: 'duplicate_found', resource_id: body.target_url });
  });

  test('is one of at most a hundred', async () => {
    const webhooks = Array.from({ length: 100 }, (_, index) => ({
      ...body,
      target_url: `https://crm.example/${index}`,
    }));
    const own = await world((await loadProject({ webhooks })).id);
    expect((await own.create()).body).toMatchObject({ code: 400, key: 'too_many_resources' });
    expect((await own.list()).body.total).toBe(100);
  });

  test('is not one of a thousand in a project file', async () => {
    const webhooks = Array.from({ length: 1_000 }, (_, index) => ({
      ...body,
      target_url: `https://crm.example/${index}`,
    }));
    expect(await faultsOf(projectFile({ webhooks }))).toEqual([
      'webhooks has 1000 entries, and a project has at most 100',
    ]);
    const twice = [body, { ...body, events: ['voucher.created'] }];
    expect(await faultsOf(projectFile({ webhooks: twice }))).toEqual([
      'webhooks[1].target_url repeats webhooks[0].target_url',
    ]);
  });

  test('comes by a project file, which leaves with the same content', async () => {
    const webhooks = [{ id: 'wh_crm', ...body, active: false, created_at: '2026-05-01T00:00:00.000Z' }];
    const { id } = await loadProject({ webhooks });
    expect((await exported(id)).webhooks).toEqual([expect.objectContaining(webhooks[0])]);
    expect(await faultsOf(projectFile({ webhooks: [{ ...webhooks[0], events: ['voucher.create'] }] }))).toEqual([
      expect.stringContaining('is voucher.created meant?'),
    ]);
  });

  test('belongs to an existing project', async () => {
    const own = await world(uniqueId('proj_'));
    for (const reply of [await own.create(), await own.list()]) {
      expect(reply.body).toMatchObject({ code: 404, resource_type: 'project' });
    }
  });
});

describe('the secret of webhooks', () => {
  test('is made once, even if twenty callers read it first at once', async () => {
    const own = await world();
    const seen = await Promise.all(Array.from({ length: 20 }, () => own.secret()));
    expect(new Set(seen.map(({ secret }) => secret)).size).toBe(1);
    expect(seen[0]).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      created_at: expect.any(String),
      previous_secret: null,
      previous_until: null,
      token: expect.stringMatching(/^[\w-]{43}$/),
      previous_token: null,
      previous_token_until: null,
      object: 'webhook_secret',
    });
  });

  test('is replaced, and the one before it stays valid for 24 hours', async () => {
    const own = await world();
    const first = await own.secret();
    const second = await own.rotate();
    expect(second.secret).not.toBe(first.secret);
    expect(second.previous_secret).toBe(first.secret);
    own.clock.advance(24 * 3_600 - 1);
    expect((await own.secret()).previous_secret).toBe(first.secret);
    own.clock.advance(1);
    expect(await own.secret()).toMatchObject({ secret: second.secret, previous_secret: null, previous_until: null });
  });

  test('that leaked is worthless at once', async () => {
    const own = await world();
    await own.secret();
    await own.rotate();
    expect((await own.rotate({ keep_previous: false })).previous_secret).toBeNull();
    expect((await own.secret()).previous_secret).toBeNull();
  });
});

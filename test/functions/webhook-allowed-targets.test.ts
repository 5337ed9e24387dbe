import { expect, test } from 'vitest';
import { handler as create } from '../../functions/management/create-webhook.ts';
import { handler as list } from '../../functions/management/list-webhooks.ts';
import { handler as update } from '../../functions/management/update-webhook.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { loadProject } from '../support/project.ts';

/** A deployment refuses targets that it never calls, before an event is lost on them. */

async function deployment(eventTargets?: readonly string[]) {
  const { id: projectId } = await loadProject();
  const dependencies = testDependencies({ eventTargets });
  const call = (handler: Parameters<typeof caller>[0], params: object = {}, body?: object) =>
    caller(handler, dependencies)({ params: { projectId, ...params }, ...(body ? { body } : {}) });
  return {
    create: (target_url: string) => call(create, {}, { target_url, events: ['customer.created'] }),
    update: (webhookId: string, body: object) => call(update, { webhookId }, body),
    targets: async () => (await call(list)).body.data.map(({ target_url }: { target_url: string }) => target_url),
  };
}

const listed = ['sqs:orders', 'eventbridge:shop'];

test('a deployment takes its own queues and buses, addresses and logs', async () => {
  const own = await deployment(listed);
  const wanted = [...listed, 'https://crm.example/hooks', 'https://1.1.1.1/hooks', 'log:listen'];
  for (const target of wanted) expect([target, (await own.create(target)).status]).toEqual([target, 200]);
  expect((await own.targets()).toSorted()).toEqual(wanted.toSorted());
});

test.each([
  ['sqs:others', 'must be among the event-targets of this deployment (sqs:orders, eventbridge:shop): add sqs:others'],
  ['sqs:shop', 'must be among the event-targets'],
  ['eventbridge:orders', 'must be among the event-targets'],
  ['http://127.0.0.1:4000/hooks', 'must be an https address'],
  ['https://localhost/hooks', 'has the address localhost, which is not public'],
  ['https://127.0.0.1/hooks', 'has the address 127.0.0.1, which is not public'],
  ['https://169.254.169.254/latest/meta-data', 'has the address 169.254.169.254, which is not public'],
  ['https://[fd00:ec2::254]/', 'has the address fd00:ec2::254, which is not public'],
  ['https://0x7f000001/', 'has the address 127.0.0.1, which is not public'],
])('a deployment refuses %s, when a webhook is made and when it is changed', async (target_url, words) => {
  const own = await deployment(listed);
  const { body: made } = await own.create('https://crm.example/hooks');
  for (const { body } of [await own.create(target_url), await own.update(made.id, { target_url })]) {
    expect(body).toMatchObject({ code: 400, key: 'invalid_payload' });
    expect(body.details).toContain(`target_url ${words}`);
  }
  expect(await own.targets()).toEqual(['https://crm.example/hooks']);
  expect((await own.update(made.id, { active: false })).status).toBe(200);
});

test('the refusal says that a target is added for all projects, and the list binds each project alike', async () => {
  const [one, other] = [await deployment(listed), await deployment(listed)];
  expect((await one.create('sqs:others')).body.details).toMatch(/add sqs:others there, for all of its projects$/);
  for (const own of [one, other]) expect((await own.create('sqs:orders')).status).toBe(200);
});

test('a deployment without a list has no queue and no bus', async () => {
  const own = await deployment([]);
  expect((await own.create('sqs:orders')).body.details).toContain('this deployment (none): add sqs:orders there');
});

test('a local server takes every target', async () => {
  const own = await deployment();
  for (const target of ['sqs:others', 'http://127.0.0.1:4000/hooks', 'https://10.0.0.5/hooks']) {
    expect([target, (await own.create(target)).status]).toEqual([target, 200]);
  }
});

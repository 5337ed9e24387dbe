import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { handler as createWebhook } from '../../functions/management/create-webhook.ts';
import { handler as getSecret } from '../../functions/management/get-webhook-secret.ts';
import { handler as rotateSecret } from '../../functions/management/rotate-webhook-secret.ts';
import { type Heard, openSubscribed as open, openReceiver } from '../support/hearing.ts';

const minute = 60;

function verify(secret: string, { headers, text }: Heard): void {
  const hex = createHmac('sha256', secret).update(text).digest('hex');
  expect(headers['x-voucherify-signature']).toBe(hex);
  // Consumers that serialise the parsed body again get the same text.
  expect(JSON.stringify(JSON.parse(text))).toBe(text);
}

describe('an event', () => {
  test('reaches the webhook once, in the envelope of the public interface, signed in both ways', async () => {
    const own = await open();
    const customer = await own.newCustomer('ingrid');
    await own.settle();
    expect(own.receiver.heard).toHaveLength(1);
    const [heard] = own.receiver.heard as [Heard];
    expect(heard.body).toEqual({
      id: expect.stringMatching(/^whs_/),
      project_id: own.id,
      created_at: expect.stringMatching(/Z$/),
      type: 'customer.created',
      data: { customer: expect.objectContaining({ id: customer.id, source_id: 'ingrid', object: 'customer' }) },
      source: { id: own.webhook.id, object: 'webhook', target_url: own.receiver.url },
      event: {
        id: expect.stringMatching(/^ev_/),
        type: 'customer.created',
        created_at: heard.body.created_at,
        entity_id: customer.id,
        group_id: expect.any(String),
        event_source: { channel: 'API', api_key: expect.anything() },
      },
    });
    const { secret } = (await own.manage(getSecret)).body;
    verify(secret, heard);
    const sentAt = new Date(Number(heard.headers['webhook-timestamp']) * 1_000);
    expect(heard.headers['webhook-signature']).toBe(new Webhook(secret).sign(heard.body.id, sentAt, heard.text));
    expect(await own.delivery()).toMatchObject({
      status: 'SUCCEEDED',
      attempts: [{ status: 200, answer: 'thanks', duration_ms: expect.any(Number) }],
    });
  });

  test('that no webhook asks for makes no message', async () => {
    const own = await open(['voucher.created']);
    await own.newCustomer('ingrid');
    await own.settle();
    expect(own.receiver.heard).toEqual([]);
  });

  test('has one id for all webhooks, and each webhook its own send-out', async () => {
    const own = await open();
    const other = await openReceiver();
    await own.manage(createWebhook, {}, { target_url: other.url, events: ['customer.created'] });
    await own.newCustomer('ingrid');
    await own.settle();
    const [one, two] = [own.receiver.heard[0]?.body, other.heard[0]?.body];
    expect(one.event.id).toBe(two.event.id);
    expect(one.id).not.toBe(two.id);
  });

  test('is signed with both secrets for 24 hours after a rotation, and then with the new one', async () => {
    const own = await open();
    const { secret: earlier } = (await own.manage(getSecret)).body;
    const { secret: later } = (await own.manage(rotateSecret, {}, {})).body;
    await own.newCustomer('first');
    await own.settle();
    own.clock.advance(24 * 60 * minute);
    await own.newCustomer('second');
    await own.settle();
    const [during, after] = own.receiver.heard as [Heard, Heard];
    verify(earlier, during);
    verify(later, after);
    const signed = ({ headers, text, body }: Heard, secret: string) =>
      new Webhook(secret).sign(body.id, new Date(Number(headers['webhook-timestamp']) * 1_000), text);
    expect(during.headers['webhook-signature']).toBe(`${signed(during, later)} ${signed(during, earlier)}`);
    expect(after.headers['webhook-signature']).toBe(signed(after, later));
  });
});

import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { handler as createWebhook } from '../../functions/management/create-webhook.ts';
import { handler as getProject } from '../../functions/management/get-project.ts';
import { handler as getSecret } from '../../functions/management/get-webhook-secret.ts';
import { handler as rotateSecret } from '../../functions/management/rotate-webhook-secret.ts';
import { type Heard, openSubscribed as open, openReceiver } from '../support/hearing.ts';

const minute = 60;

/** Checks the header of the public interface, which the token of the project signs. */
function verify(token: string, { headers, text }: Heard): void {
  const hex = createHmac('sha256', token).update(text).digest('hex');
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
    const { webhook_token: token } = (await own.manage(getProject)).body;
    verify(token, heard);
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
    const signed = ({ headers, text, body }: Heard, secret: string) =>
      new Webhook(secret).sign(body.id, new Date(Number(headers['webhook-timestamp']) * 1_000), text);
    expect(during.headers['webhook-signature']).toBe(`${signed(during, later)} ${signed(during, earlier)}`);
    expect(after.headers['webhook-signature']).toBe(signed(after, later));
  });

  test('is signed with the token before its rotation for 24 hours, and then with the new one', async () => {
    const own = await open();
    const { webhook_token: earlier } = (await own.manage(getProject)).body;
    const { status, body: rotated } = await own.manage(rotateSecret, {}, { what: 'token' });
    expect([status, rotated.previous_token]).toEqual([200, earlier]);
    const later = rotated.token;
    expect(later).not.toBe(earlier);
    expect((await own.manage(getProject)).body.webhook_token).toBe(later);
    expect((await own.manage(getSecret)).body).toMatchObject({ token: later, previous_token: earlier });
    await own.newCustomer('first');
    await own.settle();
    own.clock.advance(24 * 60 * minute);
    await own.newCustomer('second');
    await own.settle();
    const [during, after] = own.receiver.heard as [Heard, Heard];
    verify(earlier, during);
    verify(later, after);
    expect((await own.manage(getSecret)).body).toMatchObject({ token: later, previous_token: null });
  });

  test('is never signed again by a token that a rotation ended at once', async () => {
    const own = await open();
    await own.manage(rotateSecret, {}, { what: 'token' });
    const { body } = await own.manage(rotateSecret, {}, { what: 'token', keep_previous: false });
    expect(body.previous_token).toBeNull();
    await own.newCustomer('first');
    await own.settle();
    verify(body.token, own.receiver.heard[0] as Heard);
    // The rotation of one secret leaves the other one alone.
    const { secret } = (await own.manage(getSecret)).body;
    expect((await own.manage(rotateSecret, {}, {})).body).toMatchObject({
      previous_secret: secret,
      token: body.token,
      previous_token: null,
    });
  });
});

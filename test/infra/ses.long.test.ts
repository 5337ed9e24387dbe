import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import * as v from 'valibot';
import { afterAll, expect, inject, test } from 'vitest';
import { keyOf } from '#kernel/table/keys.ts';
import { handler } from '../../functions/management/invite-user.ts';
import { importOf, linesOf, sharedBundle } from '../support/bundles.ts';
import { caller } from '../support/call.ts';
import { fileTable } from '../support/dependencies.ts';
import { mailsTo, uniqueEmail } from '../support/invitations.ts';
import { messagesFor } from '../support/outbox.ts';
import { loadProject } from '../support/project.ts';
import { queueEnvironment } from '../support/queues.ts';

/** Imports a CommonJS module. vitest and TypeScript disagree about its default export. */
const { default: startSes }: typeof import('aws-ses-v2-local') = createRequire(import.meta.url)('aws-ses-v2-local');

/** Describes a mail that the emulator received. */
const store = v.object({
  emails: v.array(
    v.object({
      from: v.string(),
      subject: v.string(),
      destination: v.object({ to: v.array(v.string()), cc: v.array(v.string()), bcc: v.array(v.string()) }),
      body: v.object({ text: v.string(), html: v.string() }),
    }),
  ),
});

const emulator = await startSes({ host: '127.0.0.1', port: 0 });
const bundle = await sharedBundle('job-worker');
const project = await loadProject();

afterAll(() => emulator.close());

function addressOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

const sender = 'Tessera@shop.example';

/** Calls the bundled worker as Lambda does. It knows only its environment. */
async function work(records: unknown[], sesEndpoint: string) {
  const script = `
    const { handler } = ${importOf(bundle)};
    const reply = await handler(${JSON.stringify({ Records: records })}, { getRemainingTimeInMillis: () => 60_000 });
    console.log(JSON.stringify(reply));`;
  const env = {
    ...queueEnvironment,
    TABLE_NAME: fileTable(),
    DYNAMODB_ENDPOINT: inject('endpoint'),
    MAIL_SENDER: sender,
    AWS_ENDPOINT_URL_SESV2: sesEndpoint,
    AWS_REGION: 'eu-west-3',
    AWS_ACCESS_KEY_ID: 'ACCESSKEYOFROLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  return JSON.parse((await linesOf(script, env)).at(-1) ?? '');
}

async function invited(email: string, name: string) {
  const body = { email, first_name: name, last_name: 'Lund', projects: { [project.id]: 'ADMIN' } };
  expect((await caller(handler)({ body })).status).toBe(204);
  return messagesFor((await mailsTo(email)).map(keyOf));
}

test('the bundled worker mails invitations through SES, each once', async () => {
  const [ana, bob] = [uniqueEmail(), uniqueEmail()];
  const records = [...(await invited(ana, 'Ana Ærlig 日本')), ...(await invited(bob, 'Bob'))];
  for (let delivery = 0; delivery < 2; delivery++) {
    expect(await work(records, addressOf(emulator))).toEqual({ batchItemFailures: [] });
  }
  const { emails } = v.parse(store, await (await fetch(`${addressOf(emulator)}/store`)).json());
  expect(emails.map(({ destination }) => destination.to).sort()).toEqual([[ana], [bob]].sort());
  expect(emails.find(({ destination }) => destination.to[0] === ana)).toMatchObject({
    from: sender,
    subject: 'the operator of this server invites you to Test',
    destination: { cc: [], bcc: [] },
    body: {
      text: expect.stringContaining('Hello Ana Ærlig 日本 Lund,'),
      html: expect.stringContaining('<strong>Test</strong>, in the role ADMIN'),
    },
  });
});

test('a refused mail is retried and delays no other mail, and calls are signed for region and role', async () => {
  const [ana, bob] = [uniqueEmail(), uniqueEmail()];
  const records = [...(await invited(ana, 'Ana')), ...(await invited(bob, 'Bob'))];
  const taken: string[] = [];
  const signatures = new Set<string | undefined>();
  const refusing = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    signatures.add(
      /Credential=\w+\/\d+\/[\w-]+\/\w+/.exec(request.headers.authorization ?? '')?.[0].replace(/\d{8}/, ''),
    );
    const { Destination } = JSON.parse(Buffer.concat(chunks).toString());
    const [to] = Destination.ToAddresses;
    response.setHeader('content-type', 'application/json');
    if (to === ana) {
      response.writeHead(400, { 'x-amzn-errortype': 'MessageRejected' }).end('{"message": "Address is not verified."}');
    } else {
      taken.push(to);
      response.end('{"MessageId": "1"}');
    }
  });
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  try {
    expect(await work(records, addressOf(refusing))).toEqual({
      batchItemFailures: [{ itemIdentifier: records[0]?.messageId }],
    });
  } finally {
    refusing.close();
  }
  expect(taken).toEqual([bob]);
  expect(signatures).toEqual(new Set(['Credential=ACCESSKEYOFROLE//eu-west-3/ses']));
  expect([(await mailsTo(ana)).length, (await mailsTo(bob)).length]).toEqual([1, 0]);
});

import { describe, expect, test } from 'vitest';
import { readCsv } from '#kernel/kit/bulk/csv.ts';
import { fileStart, streamCsv } from '#kernel/kit/bulk/csv-stream.ts';
import { uploadFile } from '#kernel/kit/bulk/upload.ts';
import { handler as getAction } from '../../functions/async-actions/get-async-action.ts';
import { handler as importIntoCampaign } from '../../functions/campaigns/import-campaign-vouchers-csv.ts';
import { handler as getCustomer } from '../../functions/customers/get-customer.ts';
import { handler as importCustomers } from '../../functions/customers/import-customers.ts';
import { handler as listCustomers } from '../../functions/customers/list-customers.ts';
import { handler as getVoucher } from '../../functions/vouchers/get-voucher.ts';
import { caller } from '../support/call.ts';
import { testDependencies, testTime } from '../support/dependencies.ts';
import { terms } from '../support/every-kind.ts';
import { deliver, openJobs, runOutbox } from '../support/outbox.ts';
import { loadProject, type TestProject } from '../support/project.ts';
import { isLong } from '../support/sampled.ts';

/** More rows than one part of an import has: two parts, and three in a long run. */
const many = isLong ? 4_500 : 2_040;

const json = { 'content-type': 'application/json' };

function call({ credentials }: TestProject, body: unknown, campaignId?: string) {
  const request = { headers: { ...credentials, ...json }, body: JSON.stringify(body) };
  return campaignId === undefined
    ? caller(importCustomers)(request)
    : caller(importIntoCampaign)({ ...request, params: { campaignId } });
}

/** Stores an uploaded file at its address, like S3. */
async function put({ id }: TestProject, uploadId: string, content: string): Promise<void> {
  await testDependencies().files.put({ ...uploadFile(id, `${uploadId}.csv`), name: 'a', type: 'text/csv', content });
}

async function announced(project: TestProject, content: string, campaignId?: string): Promise<string> {
  const { body } = await call(project, { size: Buffer.byteLength(content) }, campaignId);
  expect(body).toEqual({
    upload_id: expect.stringMatching(/^upl_/),
    url: `https://files.example/uploads/${project.id}/${body.upload_id}.csv`,
    size: Buffer.byteLength(content),
    expires_at: new Date(testTime.getTime() + 3_600_000).toISOString(),
  });
  return body.upload_id;
}

async function started(project: TestProject, content: string, campaignId?: string) {
  const upload_id = await announced(project, content, campaignId);
  await put(project, upload_id, content);
  return { upload_id, reply: await call(project, { upload_id }, campaignId) };
}

async function shownAction({ credentials: headers }: TestProject, asyncActionId: string) {
  return (await caller(getAction)({ headers, params: { asyncActionId } })).body;
}

async function customersOf({ credentials: headers }: TestProject): Promise<number> {
  return (await caller(listCustomers)({ headers, query: 'limit=1' })).body.total;
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => `c-${index},"Ärger ""${index}""\r\nund mehr",${'x'.repeat(500)}`);
const file = (count: number) => `\ufeffSource_id,Name,note\r\n${rows(count).join('\r\n')}\r\n`;

test('an uploaded file is imported in parts, and a repeated request starts it once', async () => {
  const project = await loadProject();
  const content = `${file(many)}bad,,,\r\n`.replace('bad,,,', ',No one,');
  const { upload_id, reply } = await started(project, content);
  expect(reply.status).toBe(202);
  const again = await Promise.all(Array.from({ length: 20 }, () => call(project, { upload_id })));
  expect(again.map(({ body }) => body)).toEqual(again.map(() => reply.body));
  await runOutbox(project.id);
  expect(await shownAction(project, reply.body.async_action_id)).toMatchObject({
    status: 'DONE',
    progress: 100,
    result: {
      done_count: many,
      failed_count: 1,
      failed: [{ row: many + 1, reason: 'source_id or id is required' }],
      metadata_columns: ['note'],
    },
  });
  const last = await caller(getCustomer)({ headers: project.credentials, params: { customerId: `c-${many - 1}` } });
  expect(last.body).toMatchObject({ name: `Ärger "${many - 1}"\r\nund mehr`, metadata: { note: 'x'.repeat(500) } });
});

test('an import that is interrupted continues, and two at once do each row once', async () => {
  const project = await loadProject(terms);
  const codes = Array.from({ length: many }, (_, index) => `CUT-${index}`);
  const { reply } = await started(project, `Code;shelf\n${codes.join(';left\n')};left`, 'camp_gift');
  expect(reply.status).toBe(200);
  const [job] = await openJobs(project.id);
  expect(job).toBeDefined();
  await Promise.allSettled([1, 2, 3].map(() => deliver(job ? [job] : [])));
  await runOutbox(project.id);
  const action = await shownAction(project, reply.body.async_action_id);
  expect(action.result).toMatchObject({ done_count: many, failed: [], metadata_columns: ['shelf'] });
  const { body } = await caller(getVoucher)({ headers: project.credentials, params: { code: `CUT-${many - 1}` } });
  expect(body).toMatchObject({ campaign_id: 'camp_gift', gift: { balance: 700 }, metadata: { shelf: 'left' } });
});

describe('a file ends with a clear error', () => {
  test('if it was never uploaded, has another size, or has a wrong header', async () => {
    const project = await loadProject();
    const content = file(3);
    const upload_id = await announced(project, content);
    const refusal = async () => {
      const { status, body } = await call(project, { upload_id });
      return [status, body.key, body.details];
    };
    expect(await refusal()).toEqual([
      400,
      'invalid_payload',
      expect.stringContaining('upload the file to the address'),
    ]);
    await put(project, upload_id, content.slice(0, -20));
    expect(await refusal()).toEqual([400, 'invalid_payload', expect.stringContaining('upload the whole file again')]);
    const wrong = 'Nam,note\n1,2\n';
    const other = await announced(project, wrong);
    await put(project, other, wrong);
    const { body } = await call(project, { upload_id: other });
    expect(body.details).toContain('line 1, column 1 is Nam, which is close to name');
    expect(await openJobs(project.id)).toEqual([]);
  });

  test.each(['upl_', 'upl_x_1', 'aa_0', '../../x', 'upl_000000000000AAAAAAAAAAAAAAAAAAAAAA_5'])(
    'with the id %s',
    async (upload_id) => {
      const { status, body } = await call(await loadProject(), { upload_id });
      expect([status, body.key]).toEqual([400, 'invalid_payload']);
    },
  );

  test('if it belongs to another project, as if it was never uploaded', async () => {
    const [mine, other] = [await loadProject(), await loadProject()];
    const { upload_id } = await started(other, file(1));
    expect((await call(mine, { upload_id })).body.details).toContain('upload the file to the address');
  });

  test.each([
    ['a row that is too short', 'Source_id,Name\na,A\nb\n', 'line 3, column 2 is missing'],
    ['an open quote', 'Source_id,Name\na,A\nb,"B\n', 'line 3, column 2 begins with a quote that is not closed'],
    [
      'a line without end',
      `Source_id,Name\na,"${'x'.repeat(1_100_000)}`,
      'line 2 must have at most 1048576 characters',
    ],
  ])('if it has %s, and nothing changes', async (_, content, fault) => {
    const project = await loadProject();
    const { reply } = await started(project, content);
    await runOutbox(project.id);
    const action = await shownAction(project, reply.body.async_action_id);
    expect(action).toMatchObject({ status: 'FAILED', operation_status: 'FAILED', result: { done_count: 0 } });
    expect(action.result.message).toContain(`nothing was done: ${fault}`);
    expect(await customersOf(project)).toBe(0);
  });
});

test('an import ends if its file is uploaded again with other content of the same size', async () => {
  const project = await loadProject(terms);
  const content = (shelf: string) =>
    `Code,shelf\n${Array.from({ length: 2_050 }, (_, at) => `${at}-PUT,${shelf}\n`).join('')}`;
  const { upload_id, reply } = await started(project, content('old'), 'camp_gift');
  const [job] = await openJobs(project.id);
  const imported = (code: string) => caller(getVoucher)({ headers: project.credentials, params: { code } });
  const delivered = deliver(job ? [job] : []);
  while ((await imported('0-PUT')).status !== 200);
  await put(project, upload_id, content('new'));
  await delivered;
  await runOutbox(project.id);
  const { status, result } = await shownAction(project, reply.body.async_action_id);
  expect([status, result.done_count]).toEqual(['FAILED', 2_000]);
  expect(result.message).toContain('not all could be done: the file was uploaded again during its import');
  expect((await imported('1999-PUT')).body.metadata).toEqual({ shelf: 'old' });
  expect((await imported('2000-PUT')).status).toBe(404);
});

test('a stream is read like the whole text, from the beginning and from behind any line', async () => {
  const text = `\r\n${file(7).slice(1)}\n"a;b",,"c""\r",\r\rd,é,😀,`;
  const bytes = Buffer.from(text);
  const whole = [...readCsv(text)].map(({ number, cells }) => ({ number, cells }));
  for (const size of [1, 2, 3, 7, 64, 10_000]) {
    const pieces = async function* (from: number) {
      for (let at = from; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const lines = [];
    for await (const line of streamCsv(pieces(0), fileStart)) lines.push(line);
    expect(lines.map(({ number, cells }) => ({ number, cells }))).toEqual(whole);
    for (const [index, { next, separator }] of lines.entries()) {
      const rest = [];
      for await (const line of streamCsv(pieces(next.byte), { ...next, separator })) rest.push(line.cells);
      expect(rest).toEqual(whole.slice(index + 1).map(({ cells }) => cells));
    }
  }
});

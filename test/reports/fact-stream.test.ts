import { expect, test } from 'vitest';
import { readFactLines } from '#addons/reports/facts/fact-lines.ts';
import { createFactStream, createFirehoseClient } from '#addons/reports/facts/fact-stream.ts';
import { type Answer, openFakeAws } from '../support/fake-aws.ts';
import { redemption } from './facts.ts';

const accepted = ({ input }: Parameters<Answer>[0]) => ({
  FailedPutCount: 0,
  RequestResponses: input.Records.map((_: unknown, index: number) => ({ RecordId: String(index) })),
});

async function openStream(answer: Answer) {
  const { calls, endpoint } = await openFakeAws(answer);
  const pauses: number[] = [];
  const stream = createFactStream(createFirehoseClient(endpoint), 'facts', async (ms) => {
    pauses.push(ms);
  });
  const recordsOf = (index: number): string[] =>
    (calls[index]?.input.Records ?? []).map(({ Data }: { Data: string }) => Buffer.from(Data, 'base64').toString());
  return { stream, calls, recordsOf, pauses };
}

test('facts of a batch are one record of lines without missing values, whatever their texts contain', async () => {
  const { stream, calls, recordsOf } = await openStream(accepted);
  const facts = [redemption('r_1', { code: `it's\n"odd" ${'\u0000'} 🎁` }), redemption('r_2', {}, 'other')];
  await stream.send(facts);
  expect(calls).toMatchObject([{ operation: 'PutRecordBatch', input: { DeliveryStreamName: 'facts' } }]);
  expect(facts.some(({ row }) => Object.values(row).includes(null))).toBe(true);
  const filled = facts.map(({ row, ...fact }) => ({
    ...fact,
    row: Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
  }));
  expect([recordsOf(0).length, readFactLines(recordsOf(0).join(''))]).toEqual([1, { facts: filled, malformed: 0 }]);
  await stream.send([]);
  expect(calls).toHaveLength(1);
});

test('a record that Firehose refuses is sent again alone, and a lasting refusal fails the batch', async () => {
  let refusals = 2;
  const { stream, calls, recordsOf, pauses } = await openStream((call) => {
    const { RequestResponses } = accepted(call);
    if (refusals-- <= 0) return accepted(call);
    return {
      FailedPutCount: 1,
      RequestResponses: [{ ErrorCode: 'ServiceUnavailableException' }, ...RequestResponses.slice(1)],
    };
  });
  const long = 'x'.repeat(500_000);
  await stream.send([redemption('r_1', { code: long }), redemption('r_2', { code: long })]);
  expect(calls.map((_, index) => recordsOf(index).length)).toEqual([2, 1, 1]);
  expect(recordsOf(2).join('')).toContain('"r_1"');
  expect(pauses).toHaveLength(2);
  refusals = Number.POSITIVE_INFINITY;
  await expect(stream.send([redemption('r_3')])).rejects.toThrow('Firehose refused 1 records of facts');
});

test('no call is larger than Firehose takes', async () => {
  const { stream, calls, recordsOf } = await openStream(accepted);
  await stream.send(Array.from({ length: 30 }, (_, index) => redemption(`r_${index}`, { code: 'x'.repeat(300_000) })));
  const sizes = calls.map((_, index) => recordsOf(index).map((record) => record.length));
  for (const records of sizes) {
    expect(Math.max(...records)).toBeLessThanOrEqual(1_000 * 1_024);
    expect(records.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(4 * 1_024 * 1_024);
  }
  expect(sizes.flat().length).toBe(15);
});

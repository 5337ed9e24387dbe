import { expect, test } from 'vitest';
import { createFactDelivery } from '../../lib/background/facts/deliver-facts.ts';
import { createFactStream, createFirehoseClient } from '../../lib/background/facts/fact-stream.ts';
import { standingClock } from '../support/dependencies.ts';
import { openFakeAws } from '../support/fake-aws.ts';
import { openPacker } from './fact-bucket.ts';
import { redemption } from './facts.ts';

async function openDelivery() {
  const packer = await openPacker();
  const firehose = { isDown: true };
  const { calls, endpoint } = await openFakeAws(({ input }) =>
    firehose.isDown
      ? { error: 'ServiceUnavailableException' }
      : { FailedPutCount: 0, RequestResponses: input.Records.map(() => ({ RecordId: '1' })) },
  );
  const clock = standingClock(new Date('2026-06-15T12:00:00.000Z'));
  const noted: unknown[] = [];
  const deliver = createFactDelivery({
    stream: createFactStream(createFirehoseClient(endpoint), 'facts', async () => {}),
    bucket: packer.bucket,
    clock,
    note: (error) => noted.push(error),
  });
  const packedIds = async () => (await packer.packed()).map(({ row }) => row.fact_id).sort();
  return { packer, firehose, calls, clock, noted, deliver, packedIds };
}

test('facts that Firehose does not take are packed, each once, though their batch comes again in other parts', async () => {
  const { packer, deliver, noted, packedIds } = await openDelivery();
  await deliver('shard-1-1-2', [redemption('r_1'), redemption('r_2')]);
  await deliver('shard-1-1-2', [redemption('r_1'), redemption('r_2')]);
  await deliver('shard-1-1-1', [redemption('r_1')]);
  await packer.pack();
  expect(await packedIds()).toEqual(['r_1', 'r_2']);
  expect(noted).toMatchObject([{ cause: 'ServiceUnavailableException' }]);
});

test('Firehose is asked again a minute after it failed, and takes facts as before', async () => {
  const { packer, firehose, calls, clock, deliver, packedIds } = await openDelivery();
  await deliver('a', [redemption('r_1')]);
  const asked = calls.length;
  firehose.isDown = false;
  await deliver('b', [redemption('r_2')]);
  expect(calls).toHaveLength(asked);
  clock.advance(60);
  await deliver('c', [redemption('r_3')]);
  await deliver('d', []);
  expect(calls).toHaveLength(asked + 1);
  await packer.pack();
  expect(await packedIds()).toEqual(['r_1', 'r_2']);
});

test('a batch is asked for again only if neither Firehose nor the bucket took it', async () => {
  const { deliver, packer } = await openDelivery();
  const own = createFactDelivery({
    stream: { send: () => Promise.reject(new Error('Firehose is down')) },
    bucket: { write: () => Promise.reject(new Error('S3 is down')) },
    clock: packer.clock,
    note: () => {},
  });
  await expect(own('a', [redemption('r_1')])).rejects.toThrow('S3 is down');
  await expect(deliver('a', [redemption('r_1')])).resolves.toBeUndefined();
});

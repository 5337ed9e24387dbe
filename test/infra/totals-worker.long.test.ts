import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import { streamFilters } from '#registry.ts';
import type { TesseraStack } from '../../infra/aws/stack.ts';
import { handler } from '../../infra/aws/totals-worker.ts';
import { deployed, idOf, resourcesOf } from '../support/stack.ts';

const mappingType = 'AWS::Lambda::EventSourceMapping';
const mappingResource = v.object({
  Properties: v.object({
    FunctionName: v.object({ Ref: v.string() }),
    EventSourceArn: v.unknown(),
    FilterCriteria: v.optional(
      v.object({ Filters: v.array(v.object({ Pattern: v.pipe(v.string(), v.parseJson()) })) }),
    ),
    ParallelizationFactor: v.optional(v.number()),
    TumblingWindowInSeconds: v.optional(v.number()),
    BisectBatchOnFunctionError: v.optional(v.boolean()),
    MaximumRetryAttempts: v.optional(v.number()),
    DestinationConfig: v.optional(v.unknown()),
  }),
});

let stack: TesseraStack;
let template: Template;
let mappings: v.InferOutput<typeof mappingResource>['Properties'][];

beforeAll(() => {
  ({ stack, template } = deployed());
  mappings = [...resourcesOf(template, mappingType, mappingResource).values()].map(({ Properties }) => Properties);
});

const own = () => mappings.find(({ FunctionName }) => FunctionName.Ref === idOf(stack.totalsWorker.function));

describe('the event source', () => {
  test('groups records by time, so that events name their shard, and gives a shard to one call at a time', () => {
    expect(own()?.TumblingWindowInSeconds).toBe(10);
    expect(own()?.ParallelizationFactor ?? 1).toBe(1);
  });

  test('repeats failed batches by halves, and then leaves records to its own queue', () => {
    expect(own()).toMatchObject({
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 30,
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [idOf(stack.totalsWorker.deadLetters), 'Arn'] } },
      },
    });
  });

  test('passes what the other reader passes, by keys alone, so that an alarm compares their calls', () => {
    expect(own()?.FilterCriteria?.Filters.map(({ Pattern }) => Pattern)).toEqual(streamFilters);
  });

  test('is one of two on the stream, and a shard allows no more', () => {
    const [stream] = [own()?.EventSourceArn].map((arn) => JSON.stringify(arn));
    expect(mappings.filter(({ EventSourceArn }) => JSON.stringify(EventSourceArn) === stream)).toHaveLength(2);
  });
});

test('an event without a shard is refused, because it could be counted twice', async () => {
  await expect(handler({ Records: [] })).rejects.toThrow('no shard');
});

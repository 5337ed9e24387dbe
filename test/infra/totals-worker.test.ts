import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TesseraStack } from '../../infra/aws/stack.ts';
import { handler } from '../../infra/aws/totals-worker.ts';
import { tableShape } from '../../lib/table/keys.ts';
import { countedFilters } from '../../lib/table/totals.ts';
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
  test('groups records by time, without which no event names its shard, and gives a shard to one call at once', () => {
    expect(own()?.TumblingWindowInSeconds).toBe(10);
    expect(own()?.ParallelizationFactor ?? 1).toBe(1);
  });

  test('repeats what failed, by half a batch, and then leaves it to a queue of its own', () => {
    expect(own()).toMatchObject({
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 30,
      DestinationConfig: {
        OnFailure: { Destination: { 'Fn::GetAtt': [idOf(stack.totalsWorker.deadLetters), 'Arn'] } },
      },
    });
  });

  test('lets through what stands or stood in an index of lists, by a filter that Lambda takes', () => {
    expect(own()?.FilterCriteria?.Filters.map(({ Pattern }) => Pattern)).toEqual(countedFilters);
    const lists = Object.keys(tableShape.indexes).filter((name) => name.startsWith('gsi'));
    const text = JSON.stringify(countedFilters);
    for (const name of lists)
      for (const image of ['NewImage', 'OldImage']) expect(text).toContain(`"${image}":{"${name}pk"`);
    expect(text.length).toBeLessThanOrEqual(4_096);
  });

  test('is one of two on the stream, which takes no more of a shard', () => {
    const [stream] = [own()?.EventSourceArn].map((arn) => JSON.stringify(arn));
    expect(mappings.filter(({ EventSourceArn }) => JSON.stringify(EventSourceArn) === stream)).toHaveLength(2);
  });
});

test('an event that names no shard is refused: nothing would say what was counted already', async () => {
  await expect(handler({ Records: [] })).rejects.toThrow('no shard');
});

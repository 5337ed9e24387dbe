import { expect, test } from 'vitest';
import { deliver } from '../../../../support/outbox.ts';
import { loadFile, loadProject } from '../../../../support/project.ts';
import { followed, people, world } from '../../../../support/segment-world.ts';

test('a location of a newer project file moves the customers of the auto-update segments that name it', async () => {
  const circle = (center: string) => ({
    ...{ id: 'loc_town', name: 'Town' },
    shape: { type: 'circle', format: 'distance', distance: { center, radius: '1 km' } },
  });
  const near = { junction: 'and', 'metadata.home': { conditions: { $in_location: ['loc_town'] } } };
  const { id, handOver, changed, told, dependencies, jobs } = world(
    await loadProject({
      locations: [circle('geo:0,0')],
      segments: [{ ...followed, id: 'seg_near', name: 'Near', filter: near }],
      customers: [
        ...people(1, { home: 'geo:0,0' }),
        { id: 'cust_far', source_id: 'far', metadata: { home: 'geo:9,9' } },
      ],
    }),
  );
  await handOver(await changed('CUSTOMER'));
  await loadFile({ project: { id, name: 'Test' }, locations: [circle('geo:9,9')] });
  expect(await handOver(await changed('LOCATION'), 3)).toBe(0);
  const jobsOf = await jobs('sync-segment');
  expect(jobsOf.length).toBeGreaterThan(0);
  await deliver(jobsOf, dependencies);
  const sent = dependencies.queues.messages.filter(({ queue }) => queue === 'segments').map(({ key }) => key);
  await handOver(sent);
  expect([await told('cust_0'), await told('cust_far')]).toEqual([
    [
      ['entered', 'Near'],
      ['left', 'Near'],
    ],
    [['entered', 'Near']],
  ]);
});

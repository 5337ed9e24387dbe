import { expect, test } from 'vitest';
import { isSegment } from '#kernel/kit/jobs/changes.ts';
import { exported } from '../../../../support/exported.ts';
import { itemsOf } from '../../../../support/outbox.ts';
import { faultsOf, loadFile, loadProject, projectFile } from '../../../../support/project.ts';
import { world } from '../../../../support/segment-world.ts';

const filter = { junction: 'and', 'metadata.roast': { conditions: { $is: ['dark'] } } };
const date = { created_at: '2026-01-02T03:04:05.678Z', object: 'segment' };
const segments = [
  { id: 'seg_followed', name: 'A', type: 'auto-update', filter, ...date },
  { id: 'seg_many', name: 'C', type: 'static', customers: Array.from({ length: 1_001 }, (_, at) => `c${at}`), ...date },
  { id: 'seg_none', name: 'D', type: 'static', customers: [], ...date },
  { id: 'seg_passive', name: 'B', type: 'passive', filter, ...date },
];

test('segments of each kind are loaded, exported unchanged, and not changed by a second load', async () => {
  const file = projectFile({ segments });
  await loadFile(file);
  const before = await itemsOf(file.project.id, '');
  await loadFile(file);
  expect(await itemsOf(file.project.id, '')).toEqual(before);
  const { segments: written } = await exported(file.project.id);
  expect(written.toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1))).toEqual(segments);
});

test('a segment of a file has the fields that its type requires', async () => {
  const wrong = [
    { name: 'A', type: 'static' },
    { name: 'B', type: 'static', customers: [], filter },
    { name: 'C', type: 'passive' },
    { name: 'D', type: 'auto-update', filter, customers: [] },
    { name: 'E', type: 'passive', filter: { junction: 'and', 'events.visit': { conditions: { $is: [1] } } } },
  ];
  expect(await faultsOf(projectFile({ segments: wrong }))).toEqual([
    'segments[0].customers is required if type is static',
    'segments[1].filter must be left out if type is static',
    'segments[2].filter is required if type is passive',
    'segments[3].customers must be left out if type is auto-update',
    expect.stringContaining('segments[4].filter.events.visit is not a field'),
  ]);
});

test('a file has at most a hundred segments with a filter', async () => {
  const passive = Array.from({ length: 101 }, (_, index) => ({ name: `S${index}`, type: 'passive', filter }));
  const faults = await faultsOf(projectFile({ segments: [{ name: 'A', type: 'static', customers: [] }, ...passive] }));
  expect(faults).toHaveLength(101);
  expect(faults[0]).toBe('segments[1] is one of 101 segments with a filter, and a project has at most 100');
});

test('members of a static segment enter it, also if its part was followed before the segment existed', async () => {
  const segment = { id: 'seg_fixed', name: 'E', type: 'static' };
  const customers = [{ id: 'cust_1' }, { id: 'cust_2' }];
  const project = await loadProject({ customers, segments: [{ ...segment, customers: ['cust_1'] }] });
  const { handOver, changed, segmentsOf } = world(project);
  // The records of the part came and went, so only the segment is told now.
  expect(await handOver((await changed('SEGMENT')).filter(isSegment))).toBe(0);
  expect([await segmentsOf('cust_1'), await segmentsOf('cust_2')]).toEqual([1, 0]);
});

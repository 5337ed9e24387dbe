import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isJobKind, queueOfKind } from '#kernel/kit/jobs/job.ts';
import { queueNames } from '#kernel/kit/jobs/queues.ts';
import { addOns, createWorks } from '#registry.ts';
import { findKeptParts } from '../../infra/aws/kept-parts.ts';
import { operations } from '../../infra/operations.ts';

/** Reads from the files of operations and from the objects of add-ons what belongs together. */

const addOnsIn = (file: string) => [
  ...new Set([...readFileSync(file, 'utf8').matchAll(/'#addons\/(\w+)\//g)].map(([, name = '']) => name)),
];

test('an operation that imports an add-on belongs to it, and no other operation imports one', () => {
  const wrong = operations.flatMap(({ name, file, addOn }) =>
    addOnsIn(file).flatMap((imported) =>
      imported === addOn ? [] : [`${name} imports ${imported}, and is of ${addOn}`],
    ),
  );
  expect(wrong).toEqual([]);
});

test('exactly the exports and the operations that store rows for a job belong to the add-on files', () => {
  const ofFiles = operations.filter(({ addOn }) => addOn === 'files').map(({ name }) => name);
  const storing = operations.filter(({ family, route }) => family === 'exports' || route.files?.includes('put rows'));
  expect(ofFiles).toEqual(storing.map(({ name }) => name));
  expect(ofFiles.length).toBeGreaterThan(14);
});

test('each beginning of an add-on has operations, and a longer beginning wins', () => {
  const paths = operations.map(({ route }) => route.path);
  const unused = addOns.flatMap(({ operations: beginnings }) =>
    beginnings.filter((one) => !paths.some((path) => path === one || path.startsWith(`${one}/`))),
  );
  expect(unused).toEqual([]);
  const ofWebhooks = operations.filter(({ route }) => /\/webhook(s|-secret)(\/|$)/.test(route.path));
  expect(ofWebhooks.length).toBeGreaterThan(10);
  expect([...new Set(ofWebhooks.map(({ addOn }) => addOn))]).toEqual(['webhooks']);
  expect(operations.find(({ name }) => name === 'get-project')?.addOn).toBe('admin');
  expect(operations.find(({ name }) => name === 'redeem-redeemables')?.addOn).toBeUndefined();
});

test('each kind of job has one work, of the engine or of one add-on', () => {
  const ofAddOns = addOns.flatMap((one) => Object.keys(one.jobs({})));
  expect(new Set(ofAddOns).size).toBe(ofAddOns.length);
  const all = Object.keys(createWorks());
  expect(all.filter(isJobKind).sort()).toEqual(Object.keys(queueOfKind).sort());
  expect(all.filter((kind) => !isJobKind(kind)).sort()).toEqual(['changed', 'deliver', 'happened']);
});

test('no queue of jobs belongs to an add-on that a stage may leave out', () => {
  const optional = addOns.flatMap((one) => ('needed' in one ? [] : [one]));
  const { queues } = findKeptParts(optional.map(({ name }) => name));
  expect(queues).toEqual(expect.arrayContaining([...new Set(Object.values(queueOfKind)), 'segments']));
  expect(findKeptParts().queues).toEqual(queueNames);
});

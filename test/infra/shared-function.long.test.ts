import { expect, test } from 'vitest';
import { deployedOperations, listFunctions } from '../../infra/aws/deployed-functions.ts';
import { uniteGrants } from '../../infra/aws/table-grants.ts';
import { deployed, idOf } from '../support/stack.ts';
import { tablePermissionsIn } from '../support/template.ts';

const ofManagement = deployedOperations.filter(({ family }) => family === 'management');

test('the shared function of management may do what its operations may do together, and nothing else', () => {
  const { stack, template } = deployed();
  const needed = ofManagement.flatMap(({ grant }) => [
    ...grant.actions.map((action) => `dynamodb:${action}`),
    ...(grant.indexes ?? []).map((index) => `index/${index}`),
  ]);
  const lambda = stack.endpoints.get('list-projects');
  expect(tablePermissionsIn(template, lambda ? idOf(lambda) : '')).toEqual([...new Set(needed)].sort());
  expect(new Set(ofManagement.map(({ name }) => stack.endpoints.get(name)))).toEqual(new Set([lambda]));
});

test('a family that shares a function has one guard', () => {
  const foreign = deployedOperations.filter(({ name }) => name === 'get-voucher');
  const mixed = [...ofManagement, ...foreign].map((one) => ({ ...one, family: 'management' }));
  expect(() => listFunctions(mixed, 'keys')).toThrow('GET /v1/vouchers/{code}');
});

test('united grants allow what each allows, and are limited to keys only if all of them are', () => {
  const read = { actions: ['GetItem'], keys: ['A#*'] } as const;
  const write = { actions: ['GetItem', 'PutItem'], keys: ['B#*'], makes: ['TOKEN#*'] } as const;
  const nothing = { actions: [] } as const;
  expect(uniteGrants([read, nothing])).toEqual(read);
  expect(uniteGrants([read, write])).toEqual({
    actions: ['GetItem', 'PutItem'],
    keys: ['A#*', 'B#*'],
    makes: ['TOKEN#*'],
  });
  const { keys: _, ...open } = write;
  expect(uniteGrants([read, open])).toEqual({ actions: ['GetItem', 'PutItem'], makes: ['TOKEN#*'] });
  expect(uniteGrants([nothing])).toEqual(nothing);
});

import { expect, test } from 'vitest';
import { structureOf } from '../support/document-structure.ts';
import { theDocument } from '../support/openapi.ts';
import released from '../support/released-document.json' with { type: 'json' };

test('every released operation keeps its id, path, parameters, schemas and statuses', () => {
  const today = structureOf(theDocument());
  const changed = Object.entries(released).filter(([name, digest]) => today[name] !== digest);
  expect(changed.map(([name]) => name)).toEqual([]);
});

test('words change no structure, and a new property does', () => {
  const document = (schema: object, summary: string) => ({
    paths: { '/v1/things': { post: { operationId: 'create-thing', summary, requestBody: { schema } } } },
    components: { schemas: {} },
  });
  const properties = { description: { type: 'string', description: 'Any words.' } };
  const [first, reworded, longer, without] = [
    document({ type: 'object', properties }, 'Create a thing'),
    document({ type: 'object', properties: { description: { type: 'string' } } }, 'Make a thing'),
    document({ type: 'object', properties: { ...properties, name: { type: 'string' } } }, 'Create a thing'),
    document({ type: 'object', properties: {} }, 'Create a thing'),
  ].map(structureOf);
  expect(reworded).toEqual(first);
  expect(longer).not.toEqual(first);
  expect(without).not.toEqual(first);
});

import { describe, expect, test } from 'vitest';
import { answeredInNewProject } from '../../infra/openapi/new-project.ts';
import { operations } from '../../infra/operations.ts';
import { caller } from '../support/call.ts';
import { testDependencies } from '../support/dependencies.ts';
import { exampleIn } from '../support/one-of-each.ts';
import { theDocument } from '../support/openapi.ts';
import { loadProject } from '../support/project.ts';

/** A browser's key belongs to one project, so the examples of pages are not among them. */
const creating = operations.filter(
  ({ name, route }) => name.startsWith('create-') && route.method === 'POST' && route.authentication !== 'client',
);

describe('the introduction of the document', () => {
  const { description } = theDocument().info as { description: string };

  test('says how to get the objects of the examples', () => {
    expect(description).toContain('`npm run load -- infra/local/demo-project.json`');
  });

  const dependencies = testDependencies({ managementGuard: 'open' });
  test.each(creating)('says truly whether the example of $name succeeds in a new project', async (operation) => {
    const { id, credentials } = await loadProject({}, dependencies);
    const headers = operation.route.authentication === 'management' ? {} : { headers: credentials };
    const { status } = await caller(operation.handler, dependencies)({ ...exampleIn(id, operation), ...headers });
    expect(status === operation.route.reply.status).toBe(description.includes(`\`${operation.name}\``));
  });

  test('names only operations that create something', () => {
    expect(answeredInNewProject.filter((name) => !creating.some((one) => one.name === name))).toEqual([]);
  });
});

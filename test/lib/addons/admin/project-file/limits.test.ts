import { describe, expect, test } from 'vitest';
import { webhook } from '#addons/webhooks/resource.ts';
import { clientWith } from '../../../../support/client.ts';
import { testDependencies, testTime } from '../../../../support/dependencies.ts';
import { faultsOf, loadFile, loadProject, projectFile } from '../../../../support/project.ts';
import { everyItemOf } from './every-item.ts';

const makeWebhooks = (names: readonly string[]) =>
  names.map((name) => ({ target_url: `https://crm.example/${name}`, events: ['customer.created'] }));

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

const inProject = (id: string, names: readonly string[]) => ({
  ...projectFile({ webhooks: makeWebhooks(names) }),
  project: { id, name: 'Test' },
});

async function namesIn(id: string): Promise<string[]> {
  const found = (await everyItemOf(id)).filter(({ sk }) => String(sk).startsWith(webhook.few.kind));
  return found.flatMap(({ target_url }) => (typeof target_url === 'string' ? [target_url] : []));
}

const openProject = async (names: readonly string[]) => (await loadProject({ webhooks: makeWebhooks(names) })).id;

const fault = (stored: number, added: readonly string[]) =>
  `webhooks: too_many_resources: the project has ${stored}, the file adds ${added.length}, and at most 100 are allowed: remove some of ${added.map((name) => `https://crm.example/${name}`).join(', ')}`;

describe('a second file', () => {
  test('that brings a project above a hundred webhooks is refused, names its new targets, and writes nothing', async () => {
    const id = await openProject(numbered('a', 97));
    const added = numbered('b', 4);
    expect(await faultsOf(inProject(id, ['a0', 'a1', ...added]))).toEqual([fault(97, added)]);
    expect(await namesIn(id)).toHaveLength(97);
  });

  test('that fills a project with a hundred webhooks is loaded, and loaded again', async () => {
    const id = await openProject(numbered('a', 97));
    const file = inProject(id, ['a0', 'a1', ...numbered('b', 3)]);
    expect([await faultsOf(file), await faultsOf(file)]).toEqual([[], []]);
    expect(await namesIn(id)).toHaveLength(100);
  });

  test.each(['PutCommand', 'TransactWriteCommand'])(
    'that is checked before another file fills the project is stopped on its way (%s)',
    async (name) => {
      const id = await openProject(numbered('a', 97));
      let isDone = false;
      const racing = clientWith(testDependencies().dynamodb, async (command, real) => {
        if (command.constructor.name === name && !isDone) {
          isDone = true;
          await loadFile(inProject(id, numbered('b', 3)));
        }
        return real();
      });
      const refusal = loadFile(inProject(id, ['c0', 'c1']), testTime, testDependencies({ dynamodb: racing }));
      await expect(refusal).rejects.toMatchObject({
        message: 'the load stopped before its end: run it again to continue',
        faults: [`${fault(100, ['c0', 'c1'])}: another load took it in between; run again`],
      });
      expect(await namesIn(id)).toHaveLength(100);
    },
  );

  test('is one of two that want the last places at once: the project never has more than a hundred', async () => {
    const id = await openProject(numbered('a', 96));
    await Promise.allSettled(['b', 'c'].map((prefix) => loadFile(inProject(id, numbered(prefix, 3)))));
    const names = await namesIn(id);
    expect(names.length).toBeGreaterThan(96);
    expect(names.length).toBeLessThanOrEqual(100);
  });
});

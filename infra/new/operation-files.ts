import { camelCase, inWords, type NewOperation, pascalCase, snakeCase } from './names.ts';
import { importOf, importPath, places } from './places.ts';
import type { Scaffold } from './write.ts';

/** Writes a GET that answers with the project's name, a working example for the developer to replace. */
export function scaffoldOperation({ family, name, useCaseFile, scope }: NewOperation): Scaffold {
  const useCase = camelCase(name);
  const query = `${useCase}Query`;
  const reply = `${useCase}Reply`;
  const operationFile = `functions/${family}/${name}.ts`;
  const testFile = `test/functions/${name}.test.ts`;

  const useCaseText = `import * as v from 'valibot';
${importOf('documented', '{ described, named }')}
${importOf('schema', '{ shortText }')}
${importOf('context', 'type { Reading }')}

export const ${query} = v.object({
  title: described(v.optional(shortText), 'A title that the reply repeats.'),
});

export const ${reply} = named(
  '${pascalCase(name)}',
  v.object({
    object: v.literal('${snakeCase(name)}'),
    project: described(v.string(), 'The name of the project.'),
    title: described(v.optional(v.string()), 'The title of the request.'),
  }),
);

export async function ${useCase}(
  { project }: Pick<Reading, 'project'>,
  query: v.InferOutput<typeof ${query}>,
): Promise<v.InferOutput<typeof ${reply}>> {
  return { object: '${snakeCase(name)}', project: project.name, ...query };
}
`;
  const operationText = `${importOf('operation', '{ operation }')}
import { ${useCase}, ${query}, ${reply} } from '${importPath(operationFile, useCaseFile)}';

export const handler = operation(
  {
    route: 'GET /v1/${family}/${name}',
    scope: '${scope}',
    summary: '${sentence(inWords(name))}',
    note: 'Repeats the title of the query beside the name of the project.',
    answers: 'The name of the project.',
    query: ${query},
    reply: ${reply},
    example: { query: 'title=First' },
  },
  (call) => ${useCase}(call, call.query),
);
`;
  const testText = `import { expect, test } from 'vitest';
import { handler as ${useCase} } from '${importPath(testFile, operationFile)}';
import { caller } from '../support/call.ts';
import { loadProject } from '../support/project.ts';

test('the reply has the name of the project, and repeats the title', async () => {
  const { credentials: headers } = await loadProject();
  const { status, body } = await caller(${useCase})({ headers, query: 'title=First' });
  expect([status, body]).toEqual([200, { object: '${snakeCase(name)}', project: 'Test', title: 'First' }]);
});
`;
  return {
    files: new Map([
      [useCaseFile, useCaseText],
      [operationFile, operationText],
      [testFile, testText],
    ]),
    insertions: [{ ...places.otherReplies, text: `  '${name}',` }],
    next: [
      `Change the test first: npx vitest run ${testFile}`,
      `Then change ${useCaseFile} and ${operationFile}.`,
      'npm test also runs the tests of every operation.',
      `npm run costs -- ${name} adds the row of docs/costs.md.`,
    ],
  };
}

function sentence(words: string): string {
  return words.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

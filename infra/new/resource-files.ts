import { camelCase, inWords, type NewResource, snakeCase } from './names.ts';
import { importOf, importPath, places } from './places.ts';
import type { Scaffold } from './write.ts';

interface Endpoint {
  readonly file: string;
  readonly useCase: string;
  readonly route: string;
  readonly summary: string;
  readonly note: string;
  readonly answers: string;
  readonly more: string;
  readonly reply: string;
  readonly call: string;
}

const articleOf = (words: string) => (/^[aeiou]/.test(words) ? 'an' : 'a');

/** Writes a resource with a unique name and a note, its five operations, its test, and one for the demo project. */
export function scaffoldResource({ name, plural, file, scope }: NewResource): Scaffold {
  const it = camelCase(name);
  const words = inWords(name);
  const one = `${articleOf(words)} ${words}`;
  const fileKey = snakeCase(plural);
  const prefix = name.replaceAll('-', '');
  const demoId = `${prefix}_demo`;
  const spareId = `${prefix}_spare`;
  const ofOne = `params: { ${it}Id: '${demoId}' }`;
  const path = `/v1/${plural}`;
  const pathOfOne = `${path}/{${it}Id}`;
  const testFile = `test/functions/${plural}.test.ts`;

  const description = `${importOf('schema', '{ identifier, longText }')}
${importOf('resource', '{ optional, required, resource }')}

export const ${it} = resource('${snakeCase(name)}', {
  prefix: '${prefix}',
  number: 'few',
  fields: {
    name: required(identifier, 'The name that operators see.'),
    note: optional(longText, 'A note for operators.'),
  },
  unique: ['name'],
  fileKey: '${fileKey}',
});
`;
  const endpoints: readonly Endpoint[] = [
    {
      file: `create-${name}`,
      useCase: 'createResource',
      route: `POST ${path}`,
      summary: `Create ${one}`,
      note: 'The name must be unique in the project.',
      answers: `The ${words}.`,
      more: `body: ${it}.createBody,\nerrors: ['duplicate_found'],\nexample: { body: { name: 'Second', note: 'By the door' } },`,
      reply: `${it}.reply`,
      call: 'call.body',
    },
    {
      file: `list-${plural}`,
      useCase: 'listResources',
      route: `GET ${path}`,
      summary: `List the ${inWords(plural)} of the project`,
      note: 'Returns a page in the order of creation, newest first.',
      answers: `The ${inWords(plural)}.`,
      more: `query: ${it}.listQuery,`,
      reply: `${it}.listReply`,
      call: 'call.query',
    },
    {
      file: `get-${name}`,
      useCase: 'getResource',
      route: `GET ${pathOfOne}`,
      summary: `Get ${one}`,
      note: 'Returns all stored fields.',
      answers: `The ${words}.`,
      more: `errors: ['not_found'],\nexample: { ${ofOne} },`,
      reply: `${it}.reply`,
      call: `call.params.${it}Id`,
    },
    {
      file: `update-${name}`,
      useCase: 'updateResource',
      route: `PUT ${pathOfOne}`,
      summary: `Update ${one}`,
      note: 'Absent fields stay unchanged, and null clears a field.',
      answers: `The updated ${words}.`,
      more: `body: ${it}.updateBody,\nerrors: ['not_found', 'duplicate_found'],\nexample: { ${ofOne}, body: { note: 'By the window' } },`,
      reply: `${it}.reply`,
      call: `call.params.${it}Id, call.body`,
    },
    {
      file: `delete-${name}`,
      useCase: 'removeResource',
      route: `DELETE ${pathOfOne}`,
      summary: `Delete ${one}`,
      note: 'Another object can then have the same name.',
      answers: 'The object is deleted. The reply has no body.',
      more: `errors: ['not_found'],\nexample: { params: { ${it}Id: '${spareId}' } },`,
      reply: 'empty',
      call: `call.params.${it}Id`,
    },
  ];
  const operationFiles = endpoints.map((endpoint) => {
    const at = `functions/${plural}/${endpoint.file}.ts`;
    return [at, writeOperation(at, { it, file, scope }, endpoint)] as const;
  });
  const test = `import { describeCrud } from '../support/describe-crud.ts';
import { ${it} } from '${importPath(testFile, file)}';

describeCrud('${plural}', ${it}, {
  body: (number) => ({ name: \`Name \${number}\`, note: \`Note \${number}\` }),
  refused: {
    name: { name: '' },
    note: { name: 'Named', note: 7 },
  },
});
`;
  return {
    files: new Map([[file, description], ...operationFiles, [testFile, test]]),
    // Tests call every example in one project, and the deleted one must not be another operation's.
    demo: {
      key: fileKey,
      entries: [
        { id: demoId, name: 'First' },
        { id: spareId, name: 'Spare' },
      ],
    },
    insertions: [
      {
        ...places.listsInReplies,
        text: `  ${fileKey}: ['list-${plural}', 'get-${name}'],`,
      },
      {
        ...places.stepsOverApi,
        text: `  await building.each('${fileKey}', async (entry) =>
    building.made(entry, await api.post('${path}', building.as(entry))),
  );`,
      },
    ],
    next: [
      `The scope \`${scope}\` opens its paths to tokens: --scope names another.`,
      `Change ${file}: its fields, \`few\` or \`many\`, its orders. docs/contributing.md#plain has all choices.`,
      `Run its test: npx vitest run ${testFile}`,
      'npm test also runs the tests of every operation.',
      'Write the page of the resource in docs.',
      `npm run costs -- ${endpoints.map((endpoint) => endpoint.file).join(' ')} adds the rows of docs/costs.md.`,
    ],
  };
}

function writeOperation(
  at: string,
  { it, file, scope }: { it: string; file: string; scope: string },
  { useCase, route, summary, note, answers, more, reply, call }: Endpoint,
): string {
  return `${importOf('operation', '{ operation }')}
${reply === 'empty' ? importOf('route', '{ empty }') : ''}
${importOf('resourceOperations', `{ ${useCase} }`)}
import { ${it} } from '${importPath(at, file)}';

export const handler = operation(
  {
    route: '${route}',
    scope: '${scope}',
    summary: '${summary}',
    note: '${note}',
    answers: '${answers}',
    reply: ${reply},
    ${more}
  },
  (call) => ${useCase}(call, ${it}, ${call}),
);
`;
}

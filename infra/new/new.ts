import { join } from 'node:path';
import { Misuse, runCommand } from '../command-line.ts';
import { checkOperation, checkResource, pluralOf } from './names.ts';
import { scaffoldOperation } from './operation-files.ts';
import { House } from './places.ts';
import { scaffoldResource } from './resource-files.ts';
import { writeScaffold } from './write.ts';

const usage = `Writes the files of a new operation or of a new plain resource. They pass npm run check and the tests of every operation.

  npm run new -- operation FAMILY/NAME     npm run new -- operation locations/count-locations.
      Writes a GET, its use case and its test.

  npm run new -- resource NAME             npm run new -- resource shelf.
      Writes a description, five operations and a test, and puts an example into the demo project.

Both renew the table of operations in docs/interface.md. docs/contributing.md says how to go on.
`;

const options = {
  room: {
    type: 'string',
    value: 'ROOM',
    words: 'the room of lib for the use case or the resource; by default the room of the family, or catalogue',
  },
  scope: {
    type: 'string',
    value: 'SCOPE',
    words: 'the scope of tokens, by default the scope of the family or the room',
  },
  plural: { type: 'string', value: 'NAME', words: "the resource's name in paths, if it is irregular" },
} as const;

const root = join(import.meta.dirname, '..', '..');

await runCommand({ usage, options, positionals: { least: 2, most: 2 } }, async ({ values, positionals }) => {
  const [what = '', name = ''] = positionals;
  const house = await House.read(root);
  if (what === 'operation') {
    if (values.plural !== undefined) throw new Misuse('--plural belongs to resource.');
    const operation = checkOperation(house, name, values);
    return writeScaffold(root, scaffoldOperation(operation));
  }
  if (what !== 'resource') throw new Misuse(`"${what}" is neither operation nor resource.`);
  const resource = checkResource(house, name, values.plural ?? pluralOf(name), values);
  return writeScaffold(root, scaffoldResource(resource));
});

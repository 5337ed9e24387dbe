import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { runCommand } from '../command-line.ts';

const byDefault = join(import.meta.dirname, '..', '..', '.dist', 'openapi.json');

const usage = `Writes the OpenAPI document and, to the same folder, the JSON Schema of project files. Prints both paths.

  npm run openapi -- [FILE]    .dist/openapi.json by default
`;

const options = {
  table: { type: 'boolean', words: 'prints the table of operations for docs/interface.md, and writes nothing' },
  roles: { type: 'boolean', words: 'prints the table of roles for docs/tokens-and-keys.md, and writes nothing' },
} as const;

const positionals = { least: 0, most: 1 };

await runCommand({ usage, options, positionals }, async ({ values, positionals: [given] }) => {
  // The imports wait until here, because they read every operation.
  const { writeOperationsTable } = await import('./operations-table.ts');
  if (values.table) return writeOperationsTable();
  const { writeRolesTable } = await import('./roles-table.ts');
  if (values.roles) return writeRolesTable();
  const { buildOpenapiDocument } = await import('./document.ts');
  const { buildProjectFileSchema } = await import('./project-file-schema.ts');
  const file = given === undefined ? byDefault : resolve(given);
  await mkdir(dirname(file), { recursive: true });
  const schemaFile = join(dirname(file), 'project-file.schema.json');
  await writeFile(file, `${JSON.stringify(buildOpenapiDocument(), null, 2)}\n`);
  await writeFile(schemaFile, `${JSON.stringify(buildProjectFileSchema(), null, 2)}\n`);
  return `${file}\n${schemaFile}\n`;
});

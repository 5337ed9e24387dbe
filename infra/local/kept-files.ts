import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type FilePlace, type Files, fileLifeInDays, type KeptFile } from '../../lib/files/files.ts';

/** A file on disk: its content in base64. */
const keptFile = v.object({
  area: v.picklist(['rows', 'parts', 'exports']) satisfies v.GenericSchema<FilePlace['area']>,
  projectId: v.string(),
  place: v.string(),
  name: v.string(),
  type: v.string(),
  content: v.string(),
});

const dayInMs = 86_400_000;

/**
 * The same files, kept in a folder besides, from which they come back at the next start. `fauxqs` can keep them by itself, but
 * then listens on every address of the machine.
 */
export async function keptIn(folder: string, files: Files): Promise<Files> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const file = v.parse(keptFile, JSON.parse(await readFile(path, 'utf8')));
    const ageInDays = (Date.now() - (await stat(path)).mtimeMs) / dayInMs;
    if (ageInDays > fileLifeInDays[file.area]) await rm(path);
    else await files.put({ ...file, content: Buffer.from(file.content, 'base64') });
  }
  const pathOf = ({ area, projectId, place }: FilePlace) => {
    const name = createHash('sha256').update(`${area}/${projectId}/${place}`).digest('hex');
    return join(folder, `${name}.json`);
  };
  const keep = (file: KeptFile) =>
    writeFile(pathOf(file), JSON.stringify({ ...file, content: Buffer.from(file.content).toString('base64') }));
  return {
    ...files,
    put: async (file) => {
      await keep(file);
      await files.put(file);
    },
    join: async (file, parts) => {
      await files.join(file, parts);
      await keep({ ...file, content: await files.read(file) });
    },
    remove: async (file) => {
      await rm(pathOf(file), { force: true });
      await files.remove(file);
    },
  };
}

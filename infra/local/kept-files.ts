import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type FilePlace, type Files, fileLifeInDays, type KeptFile } from '../../lib/files/files.ts';

/** A file on disk: its content in base64. */
const keptFile = v.object({
  area: v.picklist(['rows', 'uploads', 'parts', 'exports']) satisfies v.GenericSchema<FilePlace['area']>,
  projectId: v.string(),
  place: v.string(),
  name: v.string(),
  type: v.string(),
  content: v.string(),
});

const dayInMs = 86_400_000;

/** Marks what is still being written. A process that is killed leaves it behind, and the next start removes it. */
const unfinished = '.part';

/** Writes the file whole or not at all, also when the process or the machine stops in between. */
async function replaceFile(folder: string, name: string, content: string): Promise<void> {
  const beside = join(folder, `${name}.${randomUUID()}${unfinished}`);
  const file = await open(beside, 'wx');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, join(folder, name));
}

/** Reads a kept file; says why if that is impossible. */
async function readKept(path: string): Promise<v.InferOutput<typeof keptFile> | { readonly fault: string }> {
  const text = await readFile(path, 'utf8').catch((error: Error) => error);
  if (text instanceof Error) return { fault: text.message };
  if (text === '') return { fault: 'the file is empty' };
  try {
    const parsed = v.safeParse(keptFile, JSON.parse(text));
    return parsed.success ? parsed.output : { fault: 'the file has no kept content' };
  } catch {
    return { fault: 'the file is no JSON' };
  }
}

/**
 * Returns the same files, which are also kept in a folder and come back at the next start. `fauxqs` can keep files by itself, but
 * then listens on every address of the machine. `warn` receives one line for each file that cannot be read: the others still serve.
 */
export async function keptIn(folder: string, files: Files, warn: (line: string) => void): Promise<Files> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith(unfinished)) {
      await rm(path);
      continue;
    }
    const file = await readKept(path);
    if ('fault' in file) {
      warn(`The kept file ${path} is skipped: ${file.fault}. Delete it to end this message.`);
      continue;
    }
    const ageInDays = (Date.now() - (await stat(path)).mtimeMs) / dayInMs;
    if (ageInDays > fileLifeInDays[file.area]) await rm(path);
    else await files.put({ ...file, content: Buffer.from(file.content, 'base64') });
  }
  const nameOf = ({ area, projectId, place }: FilePlace) =>
    `${createHash('sha256').update(`${area}/${projectId}/${place}`).digest('hex')}.json`;
  const keep = (file: KeptFile) => {
    const content = JSON.stringify({ ...file, content: Buffer.from(file.content).toString('base64') });
    return replaceFile(folder, nameOf(file), content);
  };
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
      await rm(join(folder, nameOf(file)), { force: true });
      await files.remove(file);
    },
  };
}

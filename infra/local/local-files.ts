import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  type FileKind,
  type FilePlace,
  type Files,
  fileAreas,
  fileLifeInDays,
  type KeptFile,
} from '#kernel/core/files/files.ts';

/** Describes the line of JSON before the bytes of a file on disk. */
const keptHead = v.object({
  area: v.picklist(fileAreas),
  projectId: v.string(),
  place: v.string(),
  name: v.string(),
  type: v.string(),
});

const dayInMs = 86_400_000;

/** Marks unfinished files. If a killed process leaves any, the next start removes them. */
const unfinished = '.part';

/** Writes the whole file or nothing, also if the process or the machine stops in between. */
async function replaceFile(folder: string, name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
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

/** Reads a kept file, or returns the reason why that is impossible. */
async function readKept(path: string): Promise<KeptFile | { readonly fault: string }> {
  const bytes = await readFile(path).catch((error: Error) => error);
  if (bytes instanceof Error) return { fault: bytes.message };
  if (bytes.length === 0) return { fault: 'the file is empty' };
  const end = bytes.indexOf('\n');
  try {
    const parsed = v.safeParse(keptHead, JSON.parse(bytes.toString('utf8', 0, end < 0 ? bytes.length : end)));
    if (!parsed.success || end < 0) return { fault: 'the file has no content' };
    return { ...parsed.output, content: bytes.subarray(end + 1) };
  } catch {
    return { fault: 'the file is not JSON' };
  }
}

export interface FilesOnDisk extends Files {
  /** Keeps a file that its caller has uploaded to an address, without these files. */
  readonly keepPut: (file: FilePlace) => Promise<void>;
}

/**
 * Returns the same files, but also keeps them in a folder for the next start. The server `fauxqs` can keep files itself,
 * but then listens on every address of the machine. `warn` receives one line for each unreadable file. The others still serve.
 */
export async function openKeptFiles(folder: string, files: Files, warn: (line: string) => void): Promise<FilesOnDisk> {
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
    if (file.area !== 'archives' && ageInDays > fileLifeInDays[file.area]) await rm(path);
    else await files.put(file);
  }
  const nameOf = ({ area, projectId, place }: FilePlace) =>
    `${createHash('sha256').update(`${area}/${projectId}/${place}`).digest('hex')}.json`;
  const keep = (file: FilePlace & FileKind, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => {
    const { area, projectId, place, name, type } = file;
    async function* bytes() {
      yield Buffer.from(`${JSON.stringify({ area, projectId, place, name, type })}\n`);
      yield* content;
    }
    return replaceFile(folder, nameOf(file), bytes());
  };
  return {
    ...files,
    put: async (file) => {
      await keep(file, [Buffer.from(file.content)]);
      await files.put(file);
    },
    join: async (file, parts) => {
      await files.join(file, parts);
      await keep(file, files.pieces(file, 0));
    },
    keepPut: (file) => keep({ ...file, name: file.place, type: 'text/csv' }, files.pieces(file, 0)),
    remove: async (file) => {
      await rm(join(folder, nameOf(file)), { force: true });
      await files.remove(file);
    },
    removeAll: async (projectId) => {
      for (const name of await readdir(folder)) {
        const file = await readKept(join(folder, name));
        if (!('fault' in file) && file.projectId === projectId) await rm(join(folder, name), { force: true });
      }
      await files.removeAll(projectId);
    },
  };
}

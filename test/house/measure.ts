import { posix } from 'node:path';
import { circlesOf, house, reachedFrom, resolve, roomOf, type Source, valuesOf } from './sources.ts';

/** Measures what a reader must hold. */

/** Returns the names that an import declaration brings, by the file that they come from. */
function namesOf({ path, text }: Source): { file: string; name: string }[] {
  const imports = /^(?:import|export) (?:type )?(\{[^}]*\}|\* as \w+) from '((?:\.{1,2}\/|#)[^']+\.tsx?)';/gm;
  return [...text.matchAll(imports)].flatMap(([, names = '', target = '']) =>
    names
      .replace(/[{}\n]/g, ' ')
      .split(',')
      .map(
        (name) =>
          name
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0] ?? '',
      )
      .filter((name) => name !== '')
      .map((name) => ({ file: resolve(path, target), name })),
  );
}

/** A function and a part of infra are separate kinds of rooms. */
const border = (path: string) => (path.startsWith('lib/') ? roomOf(path) : (path.split('/')[0] ?? path));

export interface Borders {
  /** Counts the names of lib that other rooms, functions or infra import. */
  names: number;
  /** Counts those that a single file imports. */
  forOneFile: number;
  /** Counts the files of lib that are entered from outside of their room. */
  files: number;
  /** The same by room. */
  byRoom: ReadonlyMap<string, { names: number; files: number }>;
}

export function borders(): Borders {
  const users = new Map<string, { file: string; by: Set<string> }>();
  for (const source of house) {
    for (const { file, name } of namesOf(source)) {
      if (!file.startsWith('lib/') || border(file) === border(source.path)) continue;
      const known = users.get(`${file} ${name}`) ?? { file, by: new Set() };
      users.set(`${file} ${name}`, known);
      known.by.add(source.path);
    }
  }
  const all = [...users.values()];
  const filesOf = (some: readonly { file: string }[]) => new Set(some.map(({ file }) => file)).size;
  return {
    names: all.length,
    forOneFile: all.filter(({ by }) => by.size === 1).length,
    files: filesOf(all),
    byRoom: new Map(
      [...Map.groupBy(all, ({ file }) => border(file))].map(([room, some]) => [
        room,
        { names: some.length, files: filesOf(some) },
      ]),
    ),
  };
}

/** Returns folders of one room that reach each other. Files directly in the room are left out. */
export function circlesOfFolders(): string[] {
  const inFolders = house.filter(({ path }) => path.startsWith('lib/') && path.split('/').length > 4);
  return circlesOf((path) => posix.dirname(path), inFolders).filter(
    (circle) => new Set(circle.split(' <-> ').map((folder) => folder.split('/').slice(0, 3).join('/'))).size === 1,
  );
}

/** Counts the lines of all files that a file needs when it runs. */
export function reach(path: string): { lines: number; files: number } {
  const graph = new Map(house.map((source) => [source.path, new Set(valuesOf(source))]));
  const reached = reachedFrom(path, graph).add(path);
  const linesOf = new Map(house.map((source) => [source.path, source.lines]));
  return { files: reached.size, lines: [...reached].reduce((sum, one) => sum + (linesOf.get(one) ?? 0), 0) };
}

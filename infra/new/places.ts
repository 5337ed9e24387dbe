import { readdir, readFile } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';

/** The modules of lib that templates import. The names in the templates are on the left. */
export const modules = {
  operation: '#kernel/http/operation.ts',
  route: '#kernel/http/route.ts',
  context: '#kernel/http/context.ts',
  schema: '#kernel/core/schema.ts',
  documented: '#kernel/core/documented.ts',
  resource: '#kernel/kit/resource/resource.ts',
  resourceOperations: '#kernel/kit/resource/operations.ts',
} as const;

const pastedReplies = 'test/lib/addons/admin/project-file/pasted-replies.long.test.ts';

/** Places of existing tests that name every list, or every operation that reads. */
export const places = {
  listsInReplies: { path: pastedReplies, after: 'const shownBy: Readonly<Record<string, readonly string[]>> = {' },
  otherReplies: { path: pastedReplies, after: 'const others: readonly string[] = [' },
  stepsOverApi: {
    path: 'test/over-api/catalogue-steps.ts',
    after: `export async function catalogue(building: Building): Promise<void> {
  const { api } = building;`,
  },
} as const;

async function filesIn(root: string, folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return names.filter((name) => name.endsWith('.ts')).map((name) => posix.join(folder, name.split(sep).join('/')));
}

/**
 * Knows which names and places are in use, for names that must be free and for import lines. All paths are relative to
 * the root.
 */
export class House {
  /** Source files with their texts: lib, functions, and the tests of operations. */
  readonly sources: ReadonlyMap<string, string>;
  /** The folders of rooms that use cases may be in, by the names of the rooms. */
  readonly rooms: ReadonlyMap<string, string>;

  private constructor(sources: ReadonlyMap<string, string>) {
    this.sources = sources;
    const folders = [...sources.keys()].flatMap((path) => {
      const [, folder = '', room = ''] = /^(lib\/(?:engine|addons)\/([\w-]+))\//.exec(path) ?? [];
      return room === '' ? [] : [[room, folder] as const];
    });
    this.rooms = new Map(folders);
  }

  static async read(root: string): Promise<House> {
    const paths = (await Promise.all(['lib', 'functions', 'test/functions'].map((one) => filesIn(root, one)))).flat();
    const sources = await Promise.all(
      paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const),
    );
    return new House(new Map(sources));
  }

  get roomNames(): string[] {
    return [...this.rooms.keys()].sort();
  }

  /** Returns the room that most operations of a family import from. */
  roomOfFamily(family: string): string | undefined {
    const counts = new Map<string, number>();
    for (const [path, text] of this.sources) {
      if (!path.startsWith(`functions/${family}/`)) continue;
      for (const [, room = ''] of text.matchAll(/'#(?:engine|addons)\/([\w-]+)\//g))
        counts.set(room, (counts.get(room) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
  }

  /** Counts the scopes of operations whose text matches. Scopes of web pages are left out. */
  #scopesOf(matches: (path: string, text: string) => boolean): string[] {
    const counts = new Map<string, number>();
    for (const [path, text] of this.sources) {
      const [, scope] = /^ {4}scope: '([\w-]+)',$/m.exec(text) ?? [];
      if (!path.startsWith('functions/') || !scope || scope.startsWith('client_') || !matches(path, text)) continue;
      counts.set(scope, (counts.get(scope) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one).map(([scope]) => scope);
  }

  get scopes(): string[] {
    return this.#scopesOf(() => true).sort();
  }

  /** Returns the usual scope of a family. */
  scopeOfFamily(family: string): string | undefined {
    return this.#scopesOf((path) => path.startsWith(`functions/${family}/`))[0];
  }

  /** Returns the usual scope of the operations that a room serves. */
  scopeOfRoom(folder: string): string | undefined {
    const imported = `${folder.slice('lib/'.length)}/`;
    return this.#scopesOf((_, text) => text.includes(`'#${imported}`))[0];
  }
}

/** Returns an import line of a module that templates know. */
export function importOf(module: keyof typeof modules, names: string): string {
  return `import ${names} from '${modules[module]}';`;
}

/** Returns the text between the quotes of an import of one file by another. */
export function importPath(from: string, to: string): string {
  if (to.startsWith('lib/')) return `#${to.slice('lib/'.length)}`;
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

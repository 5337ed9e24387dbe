import { readdir, readFile } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';

/** The modules of lib that templates import. The names in the templates are on the left. */
const modules = {
  operation: 'http/operation.ts',
  route: 'http/route.ts',
  context: 'http/context.ts',
  schema: 'core/schema.ts',
  documented: 'core/documented.ts',
  resource: 'kit/resource/resource.ts',
  resourceOperations: 'kit/resource/operations.ts',
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

/** Rooms that every room of the product may use. They know no operation. */
const lowRooms = ['core', 'table', 'http', 'access', 'kit'];

async function filesIn(root: string, folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return names.filter((name) => name.endsWith('.ts')).map((name) => posix.join(folder, name.split(sep).join('/')));
}

/** Knows where things are, for names that must be free and for import lines. All paths are relative to the root. */
export class House {
  /** Source files with their texts: those of lib and functions, and the tests of operations. */
  readonly sources: ReadonlyMap<string, string>;
  /** Rooms that use cases may be in, by their names. */
  readonly rooms: ReadonlyMap<string, string>;
  readonly #hasAliases: boolean;

  private constructor(sources: ReadonlyMap<string, string>, hasAliases: boolean) {
    this.sources = sources;
    this.#hasAliases = hasAliases;
    const floors = ['kernel', 'engine', 'addons'];
    const folders = [...sources.keys()].flatMap((path) => {
      const [top, first = '', second = '', ...rest] = path.split('/');
      if (top !== 'lib' || second === '') return [];
      return floors.includes(first) && rest.length > 0
        ? [[second, `lib/${first}/${second}`]]
        : [[first, `lib/${first}`]];
    });
    this.rooms = new Map(folders.map(([name = '', folder = '']) => [name, folder]));
  }

  static async read(root: string): Promise<House> {
    const paths = (await Promise.all(['lib', 'functions', 'test/functions'].map((one) => filesIn(root, one)))).flat();
    const sources = await Promise.all(
      paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const),
    );
    const { imports }: { imports?: unknown } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return new House(new Map(sources), imports !== undefined);
  }

  get roomNames(): string[] {
    return [...this.rooms.keys()].filter((name) => !lowRooms.includes(name)).sort();
  }

  /** Returns the room that most operations of a family import from. */
  roomOfFamily(family: string): string | undefined {
    const counts = new Map<string, number>();
    for (const [path, text] of this.sources) {
      if (!path.startsWith(`functions/${family}/`)) continue;
      for (const [, room = ''] of text.matchAll(
        /'(?:\.\.\/\.\.\/lib\/|#)(?:(?:kernel|engine|addons)\/)?([\w-]+)\/[^']*'/g,
      )) {
        if (this.roomNames.includes(room)) counts.set(room, (counts.get(room) ?? 0) + 1);
      }
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
    return this.#scopesOf((_, text) => text.includes(`lib/${imported}`) || text.includes(`'#${imported}`))[0];
  }

  /** Returns the text between the quotes of an import of one file by another. */
  importPath(from: string, to: string): string {
    const isOfRoom = posix.dirname(from) === posix.dirname(to);
    if (this.#hasAliases && to.startsWith('lib/') && !isOfRoom) return `#${to.slice('lib/'.length)}`;
    const path = posix.relative(posix.dirname(from), to);
    return path.startsWith('.') ? path : `./${path}`;
  }

  /** Returns an import line of a module that templates know. */
  importOf(from: string, module: keyof typeof modules, names: string): string {
    const [room = '', ...rest] = modules[module].split('/');
    const folder = this.rooms.get(room);
    if (folder === undefined) throw new Error(`lib has no room ${room}: renew the places in infra/new/places.ts`);
    return `import ${names} from '${this.importPath(from, [folder, ...rest].join('/'))}';`;
  }
}

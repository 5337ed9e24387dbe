import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

interface Insertion {
  readonly path: string;
  readonly after: string;
  readonly text: string;
}

/** Files to write, and an example for the demo project. */
export interface Scaffold {
  /** Texts by their paths from the root. */
  readonly files: ReadonlyMap<string, string>;
  /** A list of the demo project. */
  readonly demo?: { readonly key: string; readonly entries: readonly unknown[] };
  /** Texts for existing files. Each is inserted after the first place with this text. */
  readonly insertions: readonly Insertion[];
  /** The next steps for the developer. */
  readonly next: readonly string[];
}

const demoFile = 'infra/local/demo-project.json';
const tablePage = 'docs/interface.md';
const run = promisify(execFile);

async function addToDemo(root: string, { key, entries }: NonNullable<Scaffold['demo']>): Promise<void> {
  const path = join(root, demoFile);
  const text = await readFile(path, 'utf8');
  const list = `,\n  ${JSON.stringify(key)}: ${JSON.stringify(entries)}\n}\n`;
  await writeFile(path, text.replace(/\s*\}\s*$/, list));
}

async function insertInto(root: string, { path, after, text }: Insertion): Promise<void> {
  const old = await readFile(join(root, path), 'utf8');
  const at = old.indexOf(after);
  if (at < 0) throw new Error(`${path} has no "${after}": renew the place in infra/new`);
  const end = at + after.length;
  await writeFile(join(root, path), `${old.slice(0, end)}\n${text}${old.slice(end)}`);
}

/**
 * Writes the table of operations again. A separate process reads the operations, because this process has read the
 * folder before.
 */
async function renewTable(root: string): Promise<void> {
  const { stdout } = await run(process.execPath, [join(root, 'infra/openapi/write.ts'), '--table'], {
    cwd: root,
    maxBuffer: 16 * 1024 ** 2,
  });
  const path = join(root, tablePage);
  const text = await readFile(path, 'utf8');
  const table = /(<!-- operations: .*? -->\n).*(<!-- end of operations -->)/s;
  await writeFile(
    path,
    text.replace(table, (_, begin: string, end: string) => `${begin}\n${stdout.trim()}\n\n${end}`),
  );
}

/** Writes the files, formats them, and returns what was done and the next steps. */
export async function writeScaffold(root: string, { files, demo, insertions, next }: Scaffold): Promise<string> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    // Nothing is ever overwritten.
    await writeFile(join(root, path), text, { flag: 'wx' });
  }
  if (demo) await addToDemo(root, demo);
  for (const insertion of insertions) await insertInto(root, insertion);
  await renewTable(root);
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const changed = [...(demo ? [demoFile] : []), ...new Set(insertions.map(({ path }) => path))];
  await run(process.execPath, [biome, 'check', '--write', ...files.keys(), ...changed], { cwd: root });
  const lines = [
    ...[...files.keys()].map((path) => `wrote    ${path}`),
    ...[...changed, tablePage].map((path) => `changed  ${path}`),
    '',
    'Next:',
    ...next.map((step) => `  ${step}`),
  ];
  return `${lines.join('\n')}\n`;
}

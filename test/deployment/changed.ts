import { randomBytes } from 'node:crypto';
import { appendFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Copies an assembly with one changed function, as the next commit would synthesise it. */

const newHash = () => randomBytes(32).toString('hex');

/** Returns the templates that name one of these hashes, by their own hash. */
function hashesOf(assets: { files: Record<string, { source: { path: string } }> }, paths: readonly string[]): string[] {
  return Object.entries(assets.files).flatMap(([hash, { source }]) => (paths.includes(source.path) ? [hash] : []));
}

/** Changes the code of the function that the template's description names. Everything that contains it gets a new hash. */
export async function changeFunction(from: string, to: string, description: RegExp): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = await readdir(from);
  const texts = new Map<string, string>();
  for (const name of names.filter((one) => one.endsWith('.json')))
    texts.set(name, await readFile(join(from, name), 'utf8'));
  for (const name of names.filter((one) => !one.endsWith('.json'))) await symlink(resolve(from, name), join(to, name));
  const assetsName = names.find((name) => name.endsWith('.assets.json')) ?? '';
  const assets = JSON.parse(texts.get(assetsName) ?? '{}');
  const code = codeOf(texts, description);
  const changed = new Map([[code, newHash()]]);
  // A changed template changes the template that contains it.
  for (let size = 0; size < changed.size; ) {
    size = changed.size;
    const holders = [...texts].filter(
      ([name, text]) => /template\.json$/.test(name) && [...changed.keys()].some((hash) => text.includes(hash)),
    );
    for (const hash of hashesOf(
      assets,
      holders.map(([name]) => name),
    ))
      if (!changed.has(hash)) changed.set(hash, newHash());
  }
  await cp(join(from, `asset.${code}`), join(to, `asset.${changed.get(code)}`), { recursive: true });
  await appendFile(join(to, `asset.${changed.get(code)}`, 'index.mjs'), '\n// Changed.\n');
  for (const [name, text] of texts) {
    const renamed = [...changed].reduce((all, [before, after]) => all.replaceAll(before, after), text);
    await writeFile(join(to, name), renamed);
  }
}

function codeOf(texts: ReadonlyMap<string, string>, description: RegExp): string {
  for (const [name, text] of texts) {
    if (!name.endsWith('.template.json')) continue;
    const { Resources } = JSON.parse(text);
    for (const { Type, Properties } of Object.values<{
      Type: string;
      Properties: { Description?: string; Code: { S3Key: string } };
    }>(Resources))
      if (Type === 'AWS::Lambda::Function' && description.test(Properties.Description ?? ''))
        return Properties.Code.S3Key.replace(/\.zip$/, '');
  }
  throw new Error(`no function has the description ${description}`);
}

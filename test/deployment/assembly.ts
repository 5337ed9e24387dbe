import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { patches } from './patches.ts';
import type { Deployment } from './routes.ts';
import type { Template } from './template.ts';

/** Copies a synthesised assembly, and patches the copy. The bundles are read where they are. */

const source = v.looseObject({ path: v.string() });
const destinations = v.record(v.string(), v.looseObject({ objectKey: v.string() }));
const assetsShape = v.looseObject({ files: v.record(v.string(), v.looseObject({ source, destinations })) });
type Assets = v.InferOutput<typeof assetsShape>;

export interface Assembly {
  readonly folder: string;
  /** Counts the resources of all templates, before the patches. */
  readonly resources: number;
  /** Counts the resources that each patch has changed, in the order of the patches. */
  readonly patched: readonly number[];
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}

/** Names the folders of bundles by their absolute paths, because the copy has only the templates. */
function readFrom(folder: string, { files }: Assets): void {
  for (const { source } of Object.values(files))
    if (!source.path.endsWith('.json')) source.path = resolve(folder, source.path);
}

/** Publishes one more template, to the place of another template. */
function publish(assets: Assets, path: string, hash: string): void {
  const like = Object.values(assets.files).find((file) => file.source.path.endsWith('.template.json'));
  if (like === undefined) throw new Error('the assembly has no template');
  const places = Object.entries(like.destinations).map(([id, place]) => [id, { ...place, objectKey: `${hash}.json` }]);
  assets.files[hash] = { source: { path, packaging: 'file' }, destinations: Object.fromEntries(places) };
}

function addressOf(hash: string): object {
  const [Region, AccountId, URLSuffix] = ['Region', 'AccountId', 'URLSuffix'].map((name) => ({ Ref: `AWS::${name}` }));
  const bucket = ['cdk-hnb659fds-assets-', AccountId, '-', Region];
  return { 'Fn::Join': ['', ['https://s3.', Region, '.', URLSuffix, '/', ...bucket, `/${hash}.json`]] };
}

export async function copyPatched(from: string, to: string, port: number): Promise<Assembly> {
  await mkdir(to, { recursive: true });
  const names = (await readdir(from)).filter((name) => name.endsWith('.json'));
  const contents = new Map<string, unknown>();
  for (const name of names) contents.set(name, await readJson(join(from, name)));
  const assetsName = names.find((name) => name.endsWith('.assets.json')) ?? '';
  const assets = v.parse(assetsShape, contents.get(assetsName));
  contents.set(assetsName, assets);
  readFrom(from, assets);
  const addTemplate: Deployment['addTemplate'] = (template) => {
    const hash = createHash('sha256').update(JSON.stringify(template)).digest('hex');
    contents.set(`${hash}.nested.template.json`, template);
    publish(assets, `${hash}.nested.template.json`, hash);
    return addressOf(hash);
  };
  const patched = patches.map(() => 0);
  let resources = 0;
  for (const name of names.filter((one) => one.endsWith('.template.json'))) {
    const template = contents.get(name) as Template;
    resources += Object.keys(template.Resources).length;
    for (const [index, { apply }] of patches.entries())
      patched[index] = (patched[index] ?? 0) + apply(template, { addTemplate, port });
  }
  for (const [name, content] of contents) await writeFile(join(to, name), JSON.stringify(content));
  return { folder: to, resources, patched };
}

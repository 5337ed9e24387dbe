import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundleFunctions, functionNames } from './bundle.ts';
import { bundleInSteps } from './bundle-progress.ts';
import { loadBundles } from './bundle-store.ts';
import { checkReferences } from './limits.ts';
import { checkByRules } from './nag.ts';
import { deployOptions, readOptions } from './options.ts';
import { TesseraStack } from './stack.ts';

const app = new App();
checkByRules(app);
const given = Object.keys(deployOptions).map((name) => [name, app.node.tryGetContext(name)]);
const options = readOptions(Object.fromEntries(given));
const { TESSERA_BUNDLES } = process.env;
const folder = join(import.meta.dirname, '..', '..', '.dist', 'functions');
const bundles = await bundleInSteps(
  functionNames,
  (names) => (TESSERA_BUNDLES ? loadBundles(TESSERA_BUNDLES, names) : bundleFunctions(folder, names)),
  (words) => process.stderr.write(words),
);
const isFirst = app.node.tryGetContext('first') === 'on';
new TesseraStack(app, { ...options, isFirst, bundleDirOf: (name) => bundles[name]?.dir });
const { directory } = app.synth();
const templates = readdirSync(directory).filter((name) => name.endsWith('.template.json'));
const faults = templates.flatMap((name) => checkReferences(name, readFileSync(join(directory, name), 'utf8')));
if (faults.length > 0) throw new Error(faults.join('\n'));

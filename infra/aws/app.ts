import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundleFunctions } from './bundle.ts';
import { loadBundles } from './bundle-store.ts';
import { checkByRules } from './nag.ts';
import { deployOptions, readOptions } from './options.ts';
import { TesseraStack } from './stack.ts';

const app = new App();
checkByRules(app);
const given = Object.keys(deployOptions).map((name) => [name, app.node.tryGetContext(name)]);
const options = readOptions(Object.fromEntries(given));
const { TESSERA_BUNDLES } = process.env;
const bundles = TESSERA_BUNDLES
  ? await loadBundles(TESSERA_BUNDLES)
  : await bundleFunctions(join(import.meta.dirname, '..', '..', '.dist', 'functions'));
new TesseraStack(app, { ...options, bundleDirOf: (name) => bundles[name]?.dir });
app.synth();

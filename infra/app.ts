import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundleDocs, bundleFunctions, bundleStreamWorker } from './bundle.ts';
import { checkedGuard, checkedSender, checkedStage, TesseraStack } from './stack.ts';

const app = new App();
const stage = checkedStage(app.node.tryGetContext('stage') ?? 'dev');
const managementGuard = checkedGuard(app.node.tryGetContext('managementGuard') ?? 'iam');
const mailSender = app.node.tryGetContext('mailSender');
const outDir = join(import.meta.dirname, '..', '.dist', 'functions');
const bundles = await bundleFunctions(outDir);
const bundleDirs = Object.fromEntries(Object.entries(bundles).map(([operation, { dir }]) => [operation, dir]));
const { dir: streamWorkerBundleDir } = await bundleStreamWorker(outDir);
const { dir: docsBundleDir } = await bundleDocs(outDir);
new TesseraStack(app, {
  stage,
  bundleDirs,
  streamWorkerBundleDir,
  docsBundleDir,
  managementGuard,
  ...(mailSender === undefined ? {} : { mailSender: checkedSender(mailSender) }),
});
app.synth();

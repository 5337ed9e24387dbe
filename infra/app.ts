import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundleFunctions, bundleStreamWorker } from './bundle.ts';
import { checkedRateLimit, checkedStage, TesseraStack } from './stack.ts';

const app = new App();
const stage = checkedStage(app.node.tryGetContext('stage') ?? 'dev');
const rateLimit = app.node.tryGetContext('rateLimitPerMinute');
const outDir = join(import.meta.dirname, '..', '.dist', 'functions');
const bundles = await bundleFunctions(outDir);
const bundleDirs = Object.fromEntries(Object.entries(bundles).map(([operation, { dir }]) => [operation, dir]));
const { dir: streamWorkerBundleDir } = await bundleStreamWorker(outDir);
new TesseraStack(app, {
  stage,
  bundleDirs,
  streamWorkerBundleDir,
  ...(rateLimit === undefined ? {} : { rateLimitPerMinute: checkedRateLimit(rateLimit) }),
});
app.synth();

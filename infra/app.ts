import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundleDocs, bundleDueWorker, bundleFunctions, bundleStreamWorker } from './bundle.ts';
import { checkByRules } from './nag.ts';
import { checkedAddress, checkedGuard, checkedRateLimit, checkedSender, checkedStage, TesseraStack } from './stack.ts';

const app = new App();
checkByRules(app);
const stage = checkedStage(app.node.tryGetContext('stage') ?? 'dev');
const managementGuard = checkedGuard(app.node.tryGetContext('managementGuard') ?? 'iam');
const alarmEmail = app.node.tryGetContext('alarmEmail');
const mailSender = app.node.tryGetContext('mailSender');
const rateLimit = app.node.tryGetContext('rateLimitPerMinute');
const outDir = join(import.meta.dirname, '..', '.dist', 'functions');
const bundles = await bundleFunctions(outDir);
const bundleDirs = Object.fromEntries(Object.entries(bundles).map(([operation, { dir }]) => [operation, dir]));
const { dir: streamWorkerBundleDir } = await bundleStreamWorker(outDir);
const { dir: dueWorkerBundleDir } = await bundleDueWorker(outDir);
const { dir: docsBundleDir } = await bundleDocs(outDir);
new TesseraStack(app, {
  stage,
  bundleDirs,
  streamWorkerBundleDir,
  dueWorkerBundleDir,
  docsBundleDir,
  ...(rateLimit === undefined ? {} : { rateLimitPerMinute: checkedRateLimit(rateLimit) }),
  managementGuard,
  ...(mailSender === undefined ? {} : { mailSender: checkedSender(mailSender) }),
  ...(alarmEmail === undefined ? {} : { alarmEmail: checkedAddress('alarmEmail', alarmEmail) }),
});
app.synth();

// Reads vitest's report. Prints the numbers of passed and failed tests, and a line for each failure. Appends the first messages to a file.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [, , reportFile, engine, textsFile] = process.argv;
const mostTexts = 20;
const mostLines = 25;

const report = JSON.parse(readFileSync(reportFile, 'utf8'));
const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status !== 'passed');
  const unread = status === 'failed' && failed.length === 0;
  return [
    ...(unread ? [{ name: `${file}: the file could not be run`, messages: [message ?? ''] }] : []),
    ...failed.map((test) => ({ name: `${file}: ${test.fullName}`, messages: test.failureMessages })),
  ];
});

process.stdout.write(`${report.numPassedTests} ${failures.length}\n`);
for (const { name } of failures) process.stdout.write(`on ${engine}: ${name}\n`);
for (const { name, messages } of failures.slice(0, mostTexts)) {
  const lines = messages.join('\n').split('\n').slice(0, mostLines);
  appendFileSync(textsFile, `on ${engine}: ${name}\n${lines.join('\n')}\n\n`);
}

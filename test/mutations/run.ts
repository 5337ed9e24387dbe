import { Complaint, Misuse, runCommand } from '../../infra/command-line.ts';
import { chooseTests, conditionsOf, fateOf, findReached } from './mutations.ts';
import { readSources, withCopy } from './tree.ts';

const usage = `Removes each condition of each write, and each guard in guards.ts, in a copy of the project, and runs the tests that reach it.
Names every condition without which all of these tests pass. Conditions in accepted.ts are not named.

  npm run mutations -- --only lib/engine/ledger
  npm run mutations -- --only lib/engine/checkout/engine --operators --by test/lib/engine/checkout/engine
`;

const options = {
  only: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    words: 'only files with this beginning of the path; may repeat',
  },
  'at-most': { type: 'string', value: 'N', words: 'the number of conditions, from the first' },
  seconds: { type: 'string', value: 'N', words: 'begins no other condition after this time' },
  tests: { type: 'string', value: 'N', words: 'test files for a source, the nearest first', default: '20' },
  by: {
    type: 'string',
    multiple: true,
    value: 'TEST',
    words: 'only test files with this beginning of the path; may repeat',
  },
  operators: { type: 'boolean', words: 'replaces comparisons, sums, roundings and logic, too' },
  list: { type: 'boolean', words: 'names the conditions, and runs nothing' },
} as const;

function numberOf(name: string, text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d*$/.test(text)) throw new Misuse(`--${name} takes a whole number above 0.`);
  return Number(text);
}

const say = (text: string) => process.stdout.write(`${text}\n`);

await runCommand({ usage, options }, async ({ values }) => {
  const begun = performance.now();
  const seconds = numberOf('seconds', values.seconds);
  const most = numberOf('tests', values.tests);
  const sources = await readSources();
  const conditions = conditionsOf(sources, values.only ?? [], { operators: values.operators ?? false }).slice(
    0,
    numberOf('at-most', values['at-most']),
  );
  const placeOf = ({ path, line, text }: (typeof conditions)[number]) => `${path}:${line} ${text}`;
  if (conditions.length === 0) throw new Complaint('No such condition exists.');
  if (values.list) return conditions.map((one) => `${placeOf(one)}\n`).join('');
  return withCopy(async (folder) => {
    const reached = await findReached(folder, sources, conditions, chooseTests(sources, most, values.by));
    say(`${conditions.length} conditions; ${reached.tests.length} test files pass with all of them.`);
    for (const { path, failed } of reached.failing)
      say(`left out, because it fails with all conditions: ${path} (${failed})`);
    const left: string[] = [];
    const counts: Record<string, number> = {};
    for (const condition of conditions) {
      if (performance.now() - begun > seconds * 1000) break;
      const { end, why } = await fateOf(folder, sources, condition, reached.of(condition));
      counts[end] = (counts[end] ?? 0) + 1;
      say(`${end}: ${placeOf(condition)} (${why})`);
      if (end === 'survived' || end === 'not reached') left.push(`${end}: ${placeOf(condition)}`);
    }
    const tried = Object.values(counts).reduce((sum, count) => sum + count, 0);
    say(
      `${tried} of ${conditions.length}: ${Object.entries(counts)
        .map(([end, count]) => `${count} ${end}`)
        .join(', ')}.`,
    );
    if (left.length > 0) throw new Complaint('No test misses these conditions:', left);
    const untried = conditions.length - tried;
    if (untried > 0) return `The time ended before ${untried} conditions. Tests miss all others.\n`;
    return 'Every condition is missed by a test.\n';
  });
});

import { Complaint, Misuse, runCommand } from '../../infra/command-line.ts';
import { chooseTests, conditionsOf, fateOf, findReached } from './mutations.ts';
import { readSources, withCopy } from './tree.ts';

const usage = `Takes away each condition of each write in turn, and the guards of guards.ts, in a copy of the project, and runs the tests
that come to it. Names every condition without which all of them pass; accepted.ts says which may be named by nobody.

  npm run mutations -- --only lib/holds
`;

const options = {
  only: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    words: 'only files whose path begins so; may stand several times',
  },
  'at-most': { type: 'string', value: 'N', words: 'so many conditions, from the first on' },
  seconds: { type: 'string', value: 'N', words: 'begins with no other condition after so long' },
  tests: { type: 'string', value: 'N', words: 'test files a source, the nearest first', default: '20' },
  by: {
    type: 'string',
    multiple: true,
    value: 'TEST',
    words: 'only test files whose path begins so; may stand several times',
  },
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
  const conditions = conditionsOf(sources, values.only ?? []).slice(0, numberOf('at-most', values['at-most']));
  const placeOf = ({ path, line, text }: (typeof conditions)[number]) => `${path}:${line} ${text}`;
  if (conditions.length === 0) throw new Complaint('No condition stands there.');
  if (values.list) return conditions.map((one) => `${placeOf(one)}\n`).join('');
  return withCopy(async (folder) => {
    const reached = await findReached(folder, sources, conditions, chooseTests(sources, most, values.by));
    say(`${conditions.length} conditions; ${reached.tests.length} test files pass with all of them.`);
    for (const { path, failed } of reached.failing) say(`left out, for it fails with all of them: ${path} (${failed})`);
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
    return 'Every condition is missed by a test.\n';
  });
});

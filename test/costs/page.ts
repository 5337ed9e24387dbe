import { assumptions } from './assumptions.ts';
import type { CallFigures, Measured, TillFigures } from './figures.ts';
import { millionCalls } from './model.ts';
import { prices, pricesOf } from './prices.ts';
import { mix, redemptionsOfShops, type ShopMonth, type Stage, shopMonth } from './shops.ts';
import { type Counts, type Month, metricsOf, type StandingName, standingOf, standingWords } from './standing.ts';

/** Writes and reads `docs/costs.md`. The page holds the measured figures, and all other figures follow from them. */

export interface Page extends Measured {
  /** Counts in the templates of the two sizes of monitoring. */
  counts: { standard: Counts; full: Counts };
}

/** Returns what a stage with these counts costs. Only full monitoring traces calls that did not ask for it. */
function stageOf({ counts }: Pick<Page, 'counts'>, size: keyof Page['counts']): Stage {
  const areTraced = size === 'full';
  const standing = standingOf(counts[size], areTraced).total;
  return { standing, metrics: metricsOf(counts[size]).total, areTraced };
}

const table = (headings: readonly string[], rows: readonly (readonly (string | number)[])[], left = 1) =>
  [headings, headings.map((_, index) => (index < left ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const dollars = (value: number) =>
  value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

const measuredHeadings = ['MB', 'KB', 'reply B', 'log B', 'rounds', 'calls', 'read units', 'write units'];
const pricedHeadings = ['ms', 'gateway $', 'Lambda $', 'table $', 'logs $', 'out $', 'total $'];

const measuredCells = (one: CallFigures) => [
  one.memoryMb,
  one.bundleKb,
  one.replyBytes,
  one.logBytes,
  one.rounds,
  one.calls,
  one.readUnits,
  one.writeUnits,
];

function pricedCells(one: CallFigures): (string | number)[] {
  const { ms, gateway, lambda, table, logs, out, total } = millionCalls(one);
  return [ms, ...[gateway, lambda, table, logs, out, total].map(dollars)];
}

const firstCall = ' (first)';
const shownName = ({ name, isFirst }: CallFigures) => `\`${name}\`${isFirst ? firstCall : ''}`;

const operationRows = (all: readonly CallFigures[]) =>
  all
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((one) => [shownName(one), ...measuredCells(one), ...pricedCells(one)]);

const tillRows = (all: readonly TillFigures[]) =>
  all.map((one) => [one.name, `\`${one.operation}\``, one.keptBytes, ...measuredCells(one), ...pricedCells(one)]);

function monthRows(months: readonly ShopMonth[], watched: readonly ShopMonth[]): string[][] {
  const rowsOf = (lines: (month: ShopMonth) => ShopMonth['lines']) =>
    (months[0] ? lines(months[0]) : []).map(({ words }, index) => [
      words,
      ...months.map((month) => dollars(lines(month)[index]?.dollars ?? 0)),
    ]);
  return [
    ['calls', ...months.map(({ calls }) => whole(calls))],
    ['GB in the table', ...months.map(({ keptGb }) => dollars(keptGb))],
    ...rowsOf(({ lines }) => lines),
    ['**total $**', ...months.map(({ total }) => `**${dollars(total)}**`)],
    ['**total with full monitoring $**', ...watched.map(({ total }) => `**${dollars(total)}**`)],
    ...rowsOf(({ distribution }) => distribution),
    ['**total with the distribution and a web ACL $**', ...months.map((one) => `**${dollars(one.withDistribution)}**`)],
  ];
}

/** Joins the parts of both sizes, and their totals. */
function sideBySide(words: string, standard: Month, full: Month): (string | number)[][] {
  return [
    ...standard.parts.map((one, index) => {
      const other = full.parts[index];
      return [one.words, one.count, dollars(one.month), other?.count ?? 0, dollars(other?.month ?? 0)];
    }),
    [`**${words}**`, '', `**${dollars(standard.total)}**`, '', `**${dollars(full.total)}**`],
  ];
}

function standingRows({ standard, full }: Page['counts']) {
  return [
    ...sideBySide('total without calls', standingOf(standard), standingOf(full, true)),
    ...sideBySide('added by the first call', metricsOf(standard), metricsOf(full)),
  ];
}

export function writePage({ operations, tills, counts }: Page): string {
  const monthsWith = (size: keyof Page['counts']) =>
    redemptionsOfShops.map((redemptions) => shopMonth(redemptions, tills, stageOf({ counts }, size)));
  const months = monthsWith('standard');
  const perThousand = months.map(({ total }, index) => dollars((total / (redemptionsOfShops[index] ?? 1)) * 1_000));
  return `# Costs

\`npm run costs\` writes this page; nobody edits it. \`npm run costs -- get-voucher\` measures these operations again and keeps the other rows.
Calls, units, bytes and sizes of bundles are measured: each operation with the example of its documentation on the demo project, on the native engine.
Dollars are calculated from them by the [prices](#prices) and [assumptions](#assumptions) below. No invoice has been compared with them: nobody has deployed this stack yet.
Free tiers, discounts and taxes are left out. So are files in S3, mails of SES, and what jobs do behind a request.

<a id="three-shops"></a>
## What three shops pay a month

Each shop has one stage \`prod\` and makes these calls for each redemption. Calls are spread evenly over the month. The list of the mix is \`mix\` in \`test/costs/shops.ts\`.

${table(
  ['call of the till', 'for each redemption'],
  mix.map(({ till, calls }) => [till, calls]),
)}

${table(['redemptions a month', ...redemptionsOfShops.map(whole)], [...monthRows(months, monthsWith('full')), ['a thousand redemptions, without the distribution $', ...perThousand]])}

The shop has run for a year and has removed nothing; [old records](operations.md#retention) can be removed earlier. Bytes that leave through CloudFront are billed once, by CloudFront, at about the same price.

<a id="standing"></a>
## What a stage costs without calls

Counted in two templates of a stage \`prod\`. The first has no option, so it watches tills and money by \`standard\` monitoring. The second has \`full\` monitoring, its own key, and all other options but the distribution.
That adds nothing without calls, and a web ACL what the table above says.

${table(['what', 'standard', '$ a month', 'full', '$ a month'], standingRows(counts))}

<a id="till"></a>
## What a million calls of a till cost

The shop has five promotion tiers, an earning rule for paid orders, and codes of a campaign. A container has served the same call before. \`kept B\` is what the call leaves in the table, as JSON,
with what the table deletes by itself after some days.

${table(['call', 'operation', 'kept B', ...measuredHeadings, ...pricedHeadings], tillRows(tills), 2)}

<a id="operations"></a>
## What a million calls of each operation cost

\`MB\` is the memory of the function, \`KB\` what its start reads, gzipped, \`log B\` the line of its own log. \`rounds\` are calls of the table that wait for each other. \`ms\` follows from them, and is no measurement.
**(first)** is the first call of its kind in a container, where the example can be carried out once only. It reads what later calls have in memory.
A generated code is one write unit beside its worker's time.

${table(['operation', ...measuredHeadings, ...pricedHeadings], operationRows(operations))}

<a id="prices"></a>
## Prices

List prices of ${pricesOf.region}, as known in ${pricesOf.month}, in \`test/costs/prices.ts\`. Compare them with AWS's price lists before you rely on a total.

${table(
  ['price', '$', 'for'],
  Object.entries(prices).map(([name, { dollars, unit }]) => [name, String(dollars), unit]),
)}

<a id="assumptions"></a>
## Assumptions

They are in \`test/costs/assumptions.ts\`. A call takes its rounds times the time of a round, and its processor time over the function's share of a core.

${table(
  ['assumption', 'value', 'is'],
  Object.entries(assumptions).map(([name, { value, words }]) => [name, String(value), words]),
)}
`;
}

function rowsIn(text: string, anchor: string, next: string): string[][] {
  const part = text.slice(text.indexOf(`<a id="${anchor}"></a>`), text.indexOf(`<a id="${next}"></a>`));
  return [...part.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
}

function callOf(name: string, isFirst: boolean, cells: readonly string[]): CallFigures {
  const [
    memoryMb = 0,
    bundleKb = 0,
    replyBytes = 0,
    logBytes = 0,
    rounds = 0,
    calls = 0,
    readUnits = 0,
    writeUnits = 0,
  ] = cells.map(Number);
  return { name, isFirst, memoryMb, bundleKb, replyBytes, logBytes, rounds, calls, readUnits, writeUnits };
}

const unquoted = (text = '') => /^`(.*)`/.exec(text)?.[1];

function isStandingName(name: string): name is StandingName {
  return Object.hasOwn(standingWords, name);
}

/** Reads the measured and counted figures from the page. */
export function readPage(text: string): Page {
  const countsAt = (column: number) =>
    Object.fromEntries(
      rowsIn(text, 'standing', 'till').flatMap((cells) => {
        const name = Object.keys(standingWords).find((one) => isStandingName(one) && standingWords[one] === cells[0]);
        return name === undefined ? [] : [[name, Number(cells[column])]];
      }),
    ) as Counts;
  return {
    counts: { standard: countsAt(1), full: countsAt(3) },
    tills: rowsIn(text, 'till', 'operations').flatMap(([name = '', operation, kept, ...cells]) => {
      const called = unquoted(operation);
      return called === undefined
        ? []
        : [{ ...callOf(name, false, cells.slice(0, 8)), operation: called, keptBytes: Number(kept) }];
    }),
    operations: rowsIn(text, 'operations', 'prices').flatMap(([shown = '', ...cells]) => {
      const name = unquoted(shown);
      return name === undefined ? [] : [callOf(name, shown.endsWith(firstCall), cells.slice(0, 8))];
    }),
  };
}

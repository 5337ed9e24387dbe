import { assumed } from './assumptions.ts';
import type { TillFigures } from './figures.ts';
import { type Billed, cents, lambdaCost, millisecondsOf, sum } from './model.ts';
import { cost, gigabyte } from './prices.ts';

/** Calculates the month of a shop from its redemptions. */

export const redemptionsOfShops = [10_000, 1_000_000, 100_000_000] as const;

/** Calls for each redemption, by the names of the till's rows. */
export const mix: readonly { till: string; calls: number; writes: boolean }[] = [
  { till: 'validate one coupon, 1 line', calls: 3, writes: false },
  { till: 'qualify a guest, 5 promotion tiers, 1 line', calls: 2.5, writes: false },
  { till: 'qualify a known customer, 5 promotion tiers, 1 line', calls: 2.5, writes: false },
  { till: 'redeem one coupon, guest, 1 line', calls: 0.5, writes: true },
  { till: 'redeem one coupon, known customer, 1 line', calls: 0.3, writes: true },
  { till: 'redeem one coupon, member who earns, 1 line', calls: 0.2, writes: true },
  { till: 'create an order, known customer, 1 line', calls: 1, writes: true },
  { till: 'send an event, known customer', calls: 0.5, writes: true },
];

interface Line {
  words: string;
  dollars: number;
}

export interface ShopMonth {
  calls: number;
  keptGb: number;
  lines: Line[];
  total: number;
  distribution: Line[];
  withDistribution: number;
}

const reader: Pick<Billed, 'memoryMb'> = { memoryMb: 512 };

/** Returns calls and write units of the functions that run after the requests. */
function workBehind(writing: number, validations: number, writeUnits: number) {
  const seconds = assumed('monthSeconds');
  const shards = Math.max(1, Math.ceil(writeUnits / seconds / 1_000));
  const windows = (seconds / assumed('countWindow')) * shards;
  const batches = Math.min(writing, seconds * assumed('streamBatches') * shards);
  const deliveries = Math.min(validations, seconds * assumed('deliveries'));
  return {
    calls: batches + 2 * Math.min(writing, windows) + deliveries,
    units: Math.min(assumed('countUnits') * writing, 100 * windows) + 4 * deliveries,
  };
}

/** Has what a stage costs besides its calls. */
export interface Stage {
  /** Paid without calls. */
  readonly standing: number;
  /** Metrics that have data once there are calls. */
  readonly metrics: number;
  readonly areTraced: boolean;
}

/** Adds up a month of a shop. */
export function shopMonth(
  redemptions: number,
  tills: readonly TillFigures[],
  { standing, metrics, areTraced }: Stage,
): ShopMonth {
  const rows = mix.map(({ till, calls, writes }) => {
    const figures = tills.find(({ name }) => name === till);
    if (!figures) throw new Error(`nobody has measured "${till}"`);
    return { figures, writes, calls: calls * redemptions };
  });
  const overAll = (each: (figures: TillFigures) => number) =>
    rows.reduce((all, { figures, calls }) => all + each(figures) * calls, 0);
  const callsOf = (some: typeof rows) => some.reduce((all, { calls }) => all + calls, 0);

  const calls = callsOf(rows);
  const writeUnits = overAll((one) => one.writeUnits);
  const behind = workBehind(
    callsOf(rows.filter(({ writes }) => writes)),
    callsOf(rows.filter(({ figures }) => figures.operation === 'validate-redeemables')),
    writeUnits,
  );
  const seconds = assumed('monthSeconds');
  const traced = (of: number) => Math.min(of, seconds) + assumed('tracedShare') * Math.max(0, of - seconds);
  const lambda = rows.reduce(
    (all, { figures, calls }) =>
      all + lambdaCost(calls, figures.memoryMb, millisecondsOf(figures) + assumed('coldShare') * assumed('coldMs')),
    0,
  );
  const logGb =
    (overAll(({ logBytes }) => logBytes + assumed('otherLogBytes')) + behind.calls * assumed('otherLogBytes')) /
    gigabyte;
  const keptGb =
    (overAll(({ keptBytes }) => keptBytes) * (1 + assumed('indexShare')) * assumed('keptMonths')) / gigabyte;
  const keptLogGb = logGb * assumed('logMonths') * assumed('logCompression');
  const outGb = overAll(({ replyBytes }) => replyBytes + assumed('headerBytes')) / gigabyte;

  const lines = [
    { words: 'gateway', dollars: cost('gatewayRequest', calls) },
    { words: 'Lambda', dollars: lambda },
    {
      words: 'table, read units',
      dollars: cost(
        'readUnit',
        overAll((one) => one.readUnits),
      ),
    },
    { words: 'table, write units', dollars: cost('writeUnit', writeUnits) },
    {
      words: 'behind the calls: stream, totals, counts from the log',
      dollars: lambdaCost(behind.calls, reader.memoryMb, assumed('readerMs')) + cost('writeUnit', behind.units),
    },
    { words: 'logs that come in', dollars: cost('logIngestion', logGb) },
    { words: 'logs that are kept', dollars: cost('logStorage', keptLogGb) },
    ...(areTraced ? [{ words: 'traces', dollars: cost('trace', traced(calls) + traced(behind.calls)) }] : []),
    { words: 'to the internet', dollars: cost('transferOut', outGb) },
    { words: 'table, storage', dollars: cost('tableStorage', keptGb) },
    { words: 'table, point-in-time recovery', dollars: cost('recovery', keptGb) },
    { words: 'metrics, once there are calls', dollars: calls > 0 ? metrics : 0 },
    { words: 'what the stage costs without calls', dollars: standing },
  ].map(({ words, dollars }) => ({ words, dollars: cents(dollars) }));
  const distribution = [
    { words: 'CloudFront, requests', dollars: cost('cdnRequest', calls) },
    { words: 'WAF, requests', dollars: cost('webAclRequest', calls) },
    { words: 'WAF, list and rules', dollars: cost('webAcl', 1) + cost('webAclRule', assumed('webAclRules')) },
  ].map(({ words, dollars }) => ({ words, dollars: cents(dollars) }));
  const total = sum(lines.map(({ dollars }) => dollars));
  return {
    ...{ calls, keptGb, lines, total, distribution },
    withDistribution: sum([total, ...distribution.map(({ dollars }) => dollars)]),
  };
}

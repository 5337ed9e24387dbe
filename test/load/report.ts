import type { Audit } from './audit.ts';
import type { Figures } from './recorder.ts';
import type { Memory } from './server-process.ts';

export interface RoundReport extends Figures {
  name: string;
  /** The memory after the round. */
  memory: Memory;
}

export interface Report {
  node: string;
  cpus: string;
  engine: string;
  connections: number;
  seconds: number;
  warmUpSeconds: number;
  /** Bytes of heap and buffers after garbage collection. */
  heapGrowth: number;
  heapGrowthLimit: number;
  heapIsJudged: boolean;
  memoryBefore: Memory;
  rounds: RoundReport[];
  total: Figures;
  operations: Record<string, Figures>;
  audit: Audit;
  /** The broken limits in words. The list is empty if the budget is kept. */
  broken: string[];
}

const megabytes = (bytes: number | undefined) => (bytes === undefined ? '-' : (bytes / 1024 / 1024).toFixed(1));

function inColumns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const timeHeadings = ['calls', 'a second', 'p50 ms', 'p90', 'p97.5', 'p99', 'max', 'errors'];

const timeCells = ({ count, perSecond, p50, p90, p97_5, p99, max, errors }: Figures) => [
  String(count),
  perSecond.toFixed(1),
  ...[p50, p90, p97_5, p99, max].map((milliseconds) => milliseconds.toFixed(1)),
  String(errors),
];

const memoryHeadings = ['heap MB', 'buffers', 'RSS', 'engine RSS'];

const memoryCells = ({ heapUsed, external, rss, engineRss }: Memory) =>
  [heapUsed, external, rss, engineRss].map(megabytes);

export function asText(report: Report): string {
  const { rounds, total, operations, audit, memoryBefore, broken } = report;
  const growth = `${megabytes(report.heapGrowth)} MB, of at most ${megabytes(report.heapGrowthLimit)}`;
  return [
    `${report.engine}, Node.js ${report.node}, ${report.cpus}`,
    `${report.connections} connections, ${rounds.length} rounds of ${report.seconds} s after ${report.warmUpSeconds} s of warm-up`,
    '',
    inColumns([
      ['', ...timeHeadings, ...memoryHeadings],
      ['before', ...timeHeadings.map(() => ''), ...memoryCells(memoryBefore)],
      ...rounds.map((round) => [round.name, ...timeCells(round), ...memoryCells(round.memory)]),
      ['all rounds', ...timeCells(total)],
    ]),
    '',
    inColumns([
      ['', ...timeHeadings],
      ...Object.entries(operations).map(([name, figures]) => [name, ...timeCells(figures)]),
    ]),
    '',
    `Heap and buffers after garbage collection: ${growth} more at the end than at the least before${report.heapIsJudged ? '' : ' (not judged: the rounds are short)'}.`,
    `Audited over the interface: ${audit.points} points, ${audit.ledgerEntries} ledger entries, ${audit.activities} activities.`,
    broken.length === 0 ? 'The budget is kept.' : ['The budget is broken:', ...broken].join('\n  '),
    '',
  ].join('\n');
}

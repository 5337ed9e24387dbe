/** Holds the figures that nothing here can measure, as the page shows them. */

export interface Assumption {
  readonly value: number;
  readonly words: string;
}

export const assumptions = {
  tableCallMs: { value: 5, words: 'ms for a round of calls of the table' },
  requestMs: { value: 2, words: 'ms of a whole core for a request' },
  callMs: { value: 1.5, words: 'ms of a whole core for each call of the table in it' },
  coreMb: { value: 1_769, words: 'MB of memory that buy a whole core; a function with less has that share of one' },
  coldShare: { value: 0.01, words: 'of the calls start a container' },
  coldMs: { value: 800, words: 'ms that a start is billed for' },
  otherLogBytes: {
    value: 900,
    words: "bytes of log beside the function's own line: Lambda's lines and the access log",
  },
  headerBytes: { value: 400, words: 'bytes of headers in a reply' },
  tracedShare: {
    value: 0.05,
    words: 'of the calls beyond one a second are traced with full monitoring; of the others each',
  },
  monthSeconds: { value: 2_628_000, words: 'seconds in a month' },
  keptMonths: { value: 12, words: 'months that a shop has run: so much stands in its table' },
  indexShare: { value: 0.25, words: 'of the size of items for their entries in indexes and what DynamoDB adds' },
  logMonths: { value: 3, words: 'months that logs are kept' },
  logCompression: { value: 0.15, words: 'of the size of logs is what CloudWatch keeps' },
  pollsPerQueue: { value: 15, words: 'polls a minute of a queue that feeds a worker: five pollers that wait for 20 s' },
  probeMs: { value: 150, words: 'ms that the probe takes' },
  minuteMs: {
    value: 125,
    words: 'ms that the run of each minute takes: 16 queries of an index one after the other, half a read unit each',
  },
  platformLogBytes: { value: 500, words: "bytes of Lambda's own lines for a call that logs nothing itself" },
  dueMs: { value: 500, words: 'ms that the hourly run takes, with 16 read units' },
  readerMs: { value: 50, words: 'ms that a call of a reader of the stream or of the log worker takes' },
  streamBatches: { value: 5, words: 'batches a second at most that a shard gives to the stream worker' },
  countWindow: { value: 10, words: 'seconds that the totals worker gathers; each window with records is two calls' },
  countUnits: { value: 4, words: 'write units of totals for each call that writes, and for a window at most 100' },
  deliveries: { value: 10, words: 'deliveries of log lines a second at most; each writes 4 units' },
  webAclRules: { value: 3, words: 'rules of a web ACL' },
} as const satisfies Record<string, Assumption>;

/** Returns the number alone. */
export function assumed(name: keyof typeof assumptions): number {
  return assumptions[name].value;
}

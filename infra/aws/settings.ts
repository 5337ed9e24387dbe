import { Duration } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

export interface Throttling {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** Is chosen by the size of a stage, and by nothing else. */
interface SizeSettings {
  logRetention: RetentionDays;
  /**
   * Limits all paths together that have no throttle of their own, and once more each path of a checkout. An account's functions share
   * 1,000 at once: a request of 100 ms takes a tenth of one second of one.
   */
  throttling: Throttling;
  /** Of each path that is open to anyone: docs, pictures, unknown paths. */
  publicThrottling: Throttling;
  /** Limits each path that pages call. Anybody can read the key of a page. */
  pageThrottling: Throttling;
  /** Limits all preflights. A browser asks before the first call of a page, and again two hours later. */
  preflightThrottling: Throttling;
  /**
   * An account has 1,000 executions at once unless AWS has raised it (a new one as few as 10), 100 of which can't be reserved.
   * What is reserved for one function is taken from all others, so no endpoint with credentials has any unless the option
   * `till-executions` gives it: they share what is left. For the others it is a ceiling: a flood on a public path must keep no checkout waiting, nor five million codes, whose workers have
   * their ceiling at their queue (infra/aws/job-queues.ts). A batch that meets it waits in the stream, and that counts as no attempt. Absent: none reserved, for a deployment fails where the
   * account has too few.
   */
  reservedConcurrency?: {
    logWorker: number;
    dueWorker: number;
    publicPath: number;
  };
  /** An endpoint whose slowest hundredth takes longer for a quarter of an hour is slow. A cold start is 0.5 to 1 s of it. */
  slowRequest: Duration;
  /** Refused by the table in five minutes. The SDK tries again, so that a few are no harm. */
  tableThrottles: number;
}

/** A shard of the stream takes 1,000 writes a second, and Lambda reads each shard by one call at once. */
const writesPerShard = 1_000;

/** DynamoDB's quota of write units a second for a table, unless AWS has raised it. */
export const defaultWriteQuota = 40_000;

export interface StageSettings extends Omit<SizeSettings, 'reservedConcurrency'> {
  reservedConcurrency?: NonNullable<SizeSettings['reservedConcurrency']> & {
    /** Each reader of the stream has as many as the stream has shards when the table is written to at its quota. */
    streamReader: number;
  };
  /** Whether table, key and logs outlive the stack, and the table refuses to be deleted. */
  keepData: boolean;
  /** A key of this account's on the table (a dollar a month, rotated each year, its use in CloudTrail), else DynamoDB's own. */
  ownTableKey: boolean;
  /** Whether a new version of a till's function first gets a tenth of the calls, for as long as its alarms are quiet. */
  gradual: boolean;
}

const small: SizeSettings = {
  logRetention: RetentionDays.ONE_WEEK,
  throttling: { ratePerSecond: 50, burst: 100 },
  publicThrottling: { ratePerSecond: 10, burst: 20 },
  pageThrottling: { ratePerSecond: 20, burst: 40 },
  preflightThrottling: { ratePerSecond: 20, burst: 40 },
  slowRequest: Duration.seconds(5),
  tableThrottles: 100,
};

const full: SizeSettings = {
  logRetention: RetentionDays.THREE_MONTHS,
  throttling: { ratePerSecond: 2_000, burst: 1_000 },
  publicThrottling: { ratePerSecond: 100, burst: 100 },
  pageThrottling: { ratePerSecond: 500, burst: 500 },
  preflightThrottling: { ratePerSecond: 500, burst: 500 },
  reservedConcurrency: { logWorker: 10, dueWorker: 1, publicPath: 5 },
  slowRequest: Duration.seconds(2),
  tableThrottles: 20,
};

const sizes = { small, full };

export const stageSizes = ['small', 'full'] as const;

/** A stage is protected and full unless it says otherwise: a forgotten word must lose no data. */
export function settingsOf({
  size = 'full',
  protection = true,
  gradual = protection,
  rate,
  burst,
  writeQuota = defaultWriteQuota,
}: {
  size?: (typeof stageSizes)[number];
  protection?: boolean;
  writeQuota?: number;
  gradual?: boolean;
  rate?: number;
  burst?: number;
}): StageSettings {
  const { throttling, reservedConcurrency, ...chosen } = sizes[size];
  const streamReader = Math.ceil(writeQuota / writesPerShard);
  return {
    ...chosen,
    ...(reservedConcurrency && { reservedConcurrency: { ...reservedConcurrency, streamReader } }),
    throttling: { ratePerSecond: rate ?? throttling.ratePerSecond, burst: burst ?? throttling.burst },
    keepData: protection,
    ownTableKey: protection,
    gradual,
  };
}

/** What HTTP APIs wait for a function: API Gateway's limit, which can't be raised. */
export const gatewayTimeout = Duration.seconds(30);

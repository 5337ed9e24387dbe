import { Duration } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { MonitoringOptions } from './monitoring-options.ts';

export interface Throttling {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/** Only the size of a stage chooses these settings. */
interface SizeSettings {
  logRetention: RetentionDays;
  /**
   * Limits all paths together that have no separate throttle, and also each path of a checkout. An account's functions
   * share 1,000 simultaneous executions. A request of 100 ms uses one execution for a tenth of a second.
   */
  throttling: Throttling;
  /** Limits each path that anyone may call: docs, pictures, unknown paths. */
  publicThrottling: Throttling;
  /** Limits each path that browsers call. The key of a web page is public. */
  pageThrottling: Throttling;
  /** Limits all preflights. A browser sends one before its first call, and another two hours later. */
  preflightThrottling: Throttling;
  /**
   * Reserves executions. An account has 1,000 simultaneous executions unless AWS raises the limit. A new account may
   * have 10. 100 of them can't be reserved. A reserved execution is taken from all other functions, so endpoints with
   * credentials share the rest, unless the option `till-executions` reserves some. For all others a reservation is a
   * ceiling. It keeps floods on public paths and large generations away from checkouts. Workers have their ceiling at
   * their queue (infra/aws/job-queues.ts). A batch that reaches the ceiling waits in the stream, and that counts as no
   * attempt. If absent, nothing is reserved, because a deployment fails in an account with too few.
   */
  reservedConcurrency?: {
    logWorker: number;
    dueWorker: number;
    publicPath: number;
  };
  /**
   * Calls an endpoint slow if its slowest hundredth exceeds this time for a quarter of an hour. A cold start takes 0.5
   * to 1 s.
   */
  slowRequest: Duration;
  /** Counts the table's refusals in five minutes. The SDK tries again, so a few do no harm. */
  tableThrottles: number;
}

/** A shard of the stream accepts 1,000 writes in a second, and Lambda reads each shard with one call at a time. */
const writesPerShard = 1_000;

/** DynamoDB's default quota of write units in a second for a table. */
const defaultWriteQuota = 40_000;

export interface StageSettings extends Omit<SizeSettings, 'reservedConcurrency'> {
  reservedConcurrency?: NonNullable<SizeSettings['reservedConcurrency']> & {
    /**
     * Each reader of the stream has one execution for each shard that the table has when it is written to at its quota.
     */
    streamReader: number;
  };
  /** Says whether table, key and logs outlive the stack. The table then also refuses to be deleted. */
  keepData: boolean;
  /**
   * Encrypts the table with a key of this account, else with a key of AWS. It costs a dollar a month, rotates each year,
   * and shows in CloudTrail.
   */
  ownTableKey: boolean;
  /** Says whether a new version of a till's function first gets a tenth of the calls, while its alarms are quiet. */
  gradual: boolean;
  /**
   * Says whether everything is watched, else the tills and the money alone. A metric of an alarm costs $0.10 a month,
   * and a metric of a log $0.30.
   */
  watchesAll: boolean;
  dashboard: boolean;
  probe: boolean;
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
  reservedConcurrency: { logWorker: 10, dueWorker: 2, publicPath: 5 },
  slowRequest: Duration.seconds(2),
  tableThrottles: 20,
};

const sizes = { small, full };

export const stageSizes = ['small', 'full'] as const;

/** Protects a stage and makes it full by default, so that a forgotten option loses no data. */
export function chooseSettings({
  size = 'full',
  protection = true,
  gradual = protection,
  rate,
  burst,
  writeQuota = defaultWriteQuota,
  monitoring = 'standard',
  dashboard = monitoring === 'full',
  probe = monitoring === 'full',
  ownKey = false,
}: MonitoringOptions & {
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
    ownTableKey: ownKey,
    gradual,
    watchesAll: monitoring === 'full',
    dashboard,
    probe,
  };
}

/** API Gateway's timeout for the function of an HTTP API. It can't be raised. */
export const gatewayTimeout = Duration.seconds(30);

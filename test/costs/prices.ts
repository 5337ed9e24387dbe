/** List prices of AWS, in dollars, as the page shows them. A deployment elsewhere changes the numbers here and runs `npm run costs`. */

export interface Price {
  readonly dollars: number;
  readonly unit: string;
}

export const pricesOf = { region: 'us-east-1', month: '2026-11' } as const;

export const prices = {
  gatewayRequest: { dollars: 1, unit: 'a million requests of an HTTP API' },
  lambdaRequest: { dollars: 0.2, unit: 'a million invocations' },
  lambdaSecond: { dollars: 0.0000133334, unit: 'a GB-second on arm64' },
  readUnit: { dollars: 0.125, unit: 'a million read request units' },
  writeUnit: { dollars: 0.625, unit: 'a million write request units' },
  tableStorage: { dollars: 0.25, unit: 'a GB of the table, a month' },
  recovery: { dollars: 0.2, unit: 'a GB of point-in-time recovery, a month' },
  logIngestion: { dollars: 0.5, unit: 'a GB of logs that comes in' },
  logStorage: { dollars: 0.03, unit: 'a GB of logs that is kept compressed, a month' },
  trace: { dollars: 5, unit: 'a million recorded traces' },
  transferOut: { dollars: 0.09, unit: 'a GB to the internet' },
  alarmMetric: { dollars: 0.1, unit: 'a metric of an alarm, a month' },
  customMetric: { dollars: 0.3, unit: 'a custom metric, a month' },
  dashboard: { dollars: 3, unit: 'a dashboard, a month' },
  tableKey: { dollars: 1, unit: 'a KMS key, a month' },
  queueRequest: { dollars: 0.4, unit: 'a million requests to queues' },
  cdnRequest: { dollars: 1, unit: 'a million HTTPS requests to CloudFront' },
  webAcl: { dollars: 5, unit: 'a web ACL, a month' },
  webAclRule: { dollars: 1, unit: 'a rule of a web ACL, a month' },
  webAclRequest: { dollars: 0.6, unit: 'a million requests that a web ACL looks at' },
} as const satisfies Record<string, Price>;

export type PriceName = keyof typeof prices;

export const million = 1_000_000;
export const gigabyte = 1_000_000_000;

/** Returns what a number of units costs. */
export function cost(name: PriceName, units: number): number {
  const { dollars, unit } = prices[name];
  return (dollars * units) / (unit.startsWith('a million') ? million : 1);
}

import { relative } from 'node:path';
import type { LoadReport } from '#addons/admin/project-file/load.ts';
import type { Engine } from './engine.ts';

/** Describes the running server for the operator, in the terminal. */
export interface Welcome {
  readonly baseUrl: string;
  readonly engine: Engine;
  /** The address of the local SQS, with the queues of webhooks. */
  readonly queues: string;
  readonly projectFile: string;
  /** Warns of callers that can reach the server. */
  readonly note?: string;
  readonly report: LoadReport;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function curlLine({ baseUrl, report: { appKey, voucherCode } }: Welcome): string | undefined {
  if (!appKey || voucherCode === undefined) return undefined;
  const url = `${baseUrl}/v1/vouchers/${encodeURIComponent(voucherCode.toWellFormed())}`;
  const headers = [`X-App-Id: ${appKey.app_id}`, `X-App-Token: ${appKey.app_token}`];
  return ['curl', ...headers.map((header) => `-H ${shellQuoted(header)}`), shellQuoted(url)].join(' ');
}

function rowsOf({
  baseUrl,
  engine,
  queues,
  projectFile,
  note,
  report: { appKey, counts },
}: Welcome): [string, string][] {
  const loaded = ['campaigns', 'vouchers', 'customers'].map((list) => `${counts[list] ?? 0} ${list}`).join(', ');
  return [
    ['address', baseUrl],
    ...(note === undefined ? [] : [['note', note] satisfies [string, string]]),
    ['console', `${baseUrl}/console`],
    ['docs', `${baseUrl}/docs`],
    ['engine', `${engine.name} at ${engine.endpoint}: ${engine.why}`],
    ...(engine.exposure === undefined ? [] : [['note', engine.exposure] satisfies [string, string]]),
    ['queues', `SQS at ${queues}`],
    ['data', engine.data],
    ['project', `${loaded} from ${relative(process.cwd(), projectFile)}`],
    ['app id', appKey?.app_id ?? 'none: the project file has no active app key with a token'],
    ...(appKey ? [['token', appKey.app_token] satisfies [string, string]] : []),
  ];
}

function headingOf({ report: { project } }: Welcome): string {
  return `Tessera serves ${project.name} (${project.id})`;
}

export function writeGreeting(welcome: Welcome): string {
  const curl = curlLine(welcome);
  return [
    headingOf(welcome),
    ...rowsOf(welcome).map(([name, value]) => `  ${name.padEnd(7)}  ${value}`),
    ...(curl ? ['Try it:', `  ${curl}`] : []),
    'Ctrl-C stops the server.',
    '',
  ].join('\n');
}

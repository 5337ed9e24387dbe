import { relative } from 'node:path';
import type { LoadReport } from '../../lib/operator/project-file/load.ts';
import type { Engine } from './engine.ts';

/** Describes the running server for the operator, in the terminal and at `/`. */
export interface Welcome {
  readonly baseUrl: string;
  readonly engine: Engine;
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

function rowsOf({ baseUrl, engine, projectFile, note, report: { appKey, counts } }: Welcome): [string, string][] {
  const loaded = ['campaigns', 'vouchers', 'customers'].map((list) => `${counts[list] ?? 0} ${list}`).join(', ');
  return [
    ['address', baseUrl],
    ...(note === undefined ? [] : [['note', note] satisfies [string, string]]),
    ['docs', `${baseUrl}/docs`],
    ['engine', `${engine.name} at ${engine.endpoint}: ${engine.why}`],
    ...(engine.exposure === undefined ? [] : [['note', engine.exposure] satisfies [string, string]]),
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

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** The page may show any texts of a project file, but runs no script. */
export function renderWelcomePage(welcome: Welcome): string {
  const rows = rowsOf(welcome).map(([name, value]) => `<dt>${name}</dt><dd><code>${escaped(value)}</code></dd>`);
  const curl = curlLine(welcome);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Tessera</title>
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem }
      dd { margin: 0; overflow-wrap: anywhere }
      pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f3f3f3; padding: 1rem }
    </style>
  </head>
  <body>
    <h1>${escaped(headingOf(welcome))}</h1>
    <p><a href="/docs">Read and try the API</a>, or take its <a href="/openapi.json">OpenAPI document</a>.</p>
    <dl>${rows.join('')}</dl>
    ${curl === undefined ? '' : `<p>In a terminal:</p><pre>${escaped(curl)}</pre>`}
  </body>
</html>
`;
}

/** Forbids the page to load, call and send anything. */
export const welcomeHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

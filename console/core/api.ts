import { signal } from '@preact/signals';
import createClient from 'openapi-fetch';
import type { components, operations, paths } from '../../.dist/console/api.d.ts';
import { headersFor, shownHeadersFor } from './session.ts';

export type Schemas = components['schemas'];

type Content<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : never;

/** Names the operations of the API. */
export type OperationId = keyof operations;

/** Is the query that an operation accepts. */
export type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;

/** Has the path and the query of an operation. */
export type ParamsOf<Id extends OperationId> = operations[Id]['parameters'];

/** Is the body that an operation accepts. */
export type BodyOf<Id extends OperationId> = Content<NonNullable<operations[Id]['requestBody']>>;

/** Describes a refusal of the API. */
export class Refusal extends Error {
  readonly status: number;
  readonly key: string;
  readonly details: string;

  constructor({ code, key, message, details }: { code: number; key: string; message: string; details?: unknown }) {
    super(message);
    this.status = code;
    this.key = key;
    this.details = [details ?? []].flat().map(String).join('; ');
  }
}

export interface Call {
  readonly method: string;
  readonly url: string;
  readonly body: string | undefined;
  readonly status: number;
  readonly inMs: number;
}

const kept = 30;

/** Lists the latest calls of the screen, newest first. */
export const calls = signal<readonly Call[]>([]);

async function send(request: Request): Promise<Response> {
  const body = request.headers.get('content-type')?.startsWith('application/json')
    ? await request.clone().text()
    : undefined;
  const start = performance.now();
  const reply = await fetch(request);
  const call = { method: request.method, url: request.url, body: body || undefined, status: reply.status };
  calls.value = [{ ...call, inMs: Math.round(performance.now() - start) }, ...calls.value].slice(0, kept);
  return reply;
}

/** Writes nested keys in brackets: `filters[code][conditions][$is][0]`. Only a list without brackets is joined by commas. */
function* inBrackets(name: string, value: unknown): Generator<[string, string]> {
  if (value === undefined || value === null || value === '') return;
  if (typeof value !== 'object') return yield [name, String(value)];
  if (Array.isArray(value) && !name.includes('[')) return yield [name, value.join(',')];
  for (const [key, inner] of Object.entries(value)) yield* inBrackets(`${name}[${key}]`, inner);
}

type Pair = readonly [name: string, value: unknown];

const toQuery = (pairs: readonly Pair[]) =>
  new URLSearchParams(pairs.flatMap(([name, value]) => [...inBrackets(name, value)])).toString();

/** Writes each element of a list by itself, such as `ids[0]`. */
export function withoutCommas(query: Readonly<Record<string, unknown>>): string {
  const spread = ([name, value]: Pair): Pair => [name, Array.isArray(value) ? { ...value } : value];
  return toQuery(Object.entries(query).map(spread));
}

export const api = createClient<paths>({
  baseUrl: location.origin,
  fetch: send,
  querySerializer: (query) => toQuery(Object.entries(query)),
});

/** Marks validations of the console, so that figures leave them out (docs/checkout.md#looking). */
const channel = { 'X-Voucherify-Channel': 'Tessera-Console' };

api.use({
  onRequest: ({ request }) => {
    if (/\/validations?$|\/validate$/.test(new URL(request.url).pathname))
      for (const [name, value] of Object.entries(channel)) request.headers.set(name, value);
    for (const [name, value] of Object.entries(headersFor(request.url))) request.headers.set(name, value);
    return request;
  },
});

/** Returns the data of a reply, or throws its refusal. */
export async function dataOf<T>(reply: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await reply;
  if (response.ok) return data as T;
  if (typeof error === 'object' && error !== null && 'key' in error) throw new Refusal(error as Schemas['Error']);
  throw new Refusal({ code: response.status, key: 'no_reply', message: response.statusText });
}

/** Quotes a text for a shell. The name of a secret must stay open for the shell. */
const quoted = (text: string) => (text.includes('$') ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`);

export function writeCurl({ method, url, body }: Call): string {
  const headers = Object.entries(shownHeadersFor(url));
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${url.replaceAll("'", '%27')}'`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--json '${body.replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
}

/** Names the paths that accept a file. */
export type ImportPath = Extract<keyof paths, `/v1/${string}/importCSV`>;

async function sendFile(path: ImportPath, file: File, fields: Readonly<Record<string, string>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', file);
  const url = location.origin + path;
  const response = await send(new Request(url, { method: 'POST', body: form, headers: headersFor(url) }));
  const body = await response.json();
  if (!response.ok) throw new Refusal(body);
  return body;
}

/** Sends a CSV file as a form. */
export function upload(path: ImportPath, file: File): Promise<Schemas['ImportCustomersAcceptedAsyncActionId']> {
  return sendFile(path, file, {});
}

/** Previews an import of the file. */
export function preview(path: ImportPath, file: File): Promise<Schemas['ImportCustomersAcceptedPreview']> {
  return sendFile(path, file, { preview: 'true' });
}

import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Endpoint } from '#kernel/http/operation.ts';
import { listRequestLines, type RequestLine, type Route } from '#kernel/http/route.ts';
import { addOns } from '#registry.ts';

/** Describes one operation, as found in its file `functions/<family>/<name>.ts`. */
export interface Operation {
  readonly name: string;
  readonly family: string;
  /** The absolute path of the operation's file. */
  readonly file: string;
  readonly route: Route;
  readonly handler: Endpoint;
  /** The add-on that it belongs to, if it does not belong to the engine. */
  readonly addOn: string | undefined;
}

/** Finds the add-on of a path, by the longest beginning. */
function findAddOn(path: string): string | undefined {
  const begins = (beginning: string) => path === beginning || path.startsWith(`${beginning}/`);
  const found = addOns.flatMap(({ name, operations }) =>
    operations.filter(begins).map(({ length }) => ({ name, length })),
  );
  return found.toSorted((one, other) => other.length - one.length)[0]?.name;
}

const folder = join(import.meta.dirname, '..', 'functions');

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'function' && 'route' in value && 'with' in value;
}

async function load(path: string): Promise<Operation> {
  const file = join(folder, path);
  const { handler }: { handler?: unknown } = await import(file);
  if (!isEndpoint(handler)) throw new Error(`functions/${path} does not export a handler made by operation()`);
  const { route } = handler;
  return { name: basename(path, '.ts'), family: dirname(path), file, route, handler, addOn: findAddOn(route.path) };
}

/** Lists all operations by reading the folder. Every reader of operations uses this list. */
export const operations: readonly Operation[] = await Promise.all(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => load(path.replaceAll('\\', '/'))),
);

/** Returns the operation of this name. */
export function findOperation(name: string): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`no operation is named ${name}`);
  return found;
}

/** Lists the routes in the gateway's order, for a search that uses the first match. */
export const routes: readonly Route[] = operations.map(({ route }) => route);

/** Lists the request lines of all routes, with their add-ons. */
export const requestLines: readonly (RequestLine & Pick<Operation, 'addOn'>)[] = operations.flatMap(
  ({ route, addOn }) => listRequestLines(route).map((line) => ({ ...line, addOn })),
);

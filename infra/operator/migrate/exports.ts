import { open, rename } from 'node:fs/promises';
import * as v from 'valibot';
import { LocalFault, type Source, SourceFault, SourceRefusal, SourceSilent } from './source.ts';
import type { Progress } from './state.ts';

/** Lets the source write a file, and fetches it. */

const started = v.object({
  id: v.string(),
  status: v.string(),
  result: v.nullish(v.object({ url: v.string() })),
});

/** Each object with the fields of this service, and the fields that every service has. */
export interface Wanted {
  readonly object: string;
  readonly fields: readonly string[];
  /** Fields that not every service has. If a service refuses them, the request is repeated without them. */
  readonly more?: readonly string[];
  readonly filters?: object;
}

const second = 1_000;
const longestPause = 60 * second;
const longestExport = 24 * 3_600 * second;
const ownerOnly = 0o600;
const lineFeed = 10;

/** Reads the source's description of an export. */
function parseExport(call: string, reply: unknown): v.InferOutput<typeof started> {
  const { success, output } = v.safeParse(started, reply);
  if (!success) throw new SourceFault(`${call} must answer with an export: an object with id and status`);
  return output;
}

async function startExport(source: Source, { object, fields, filters }: Wanted): Promise<string> {
  const parameters = { fields, ...(filters ? { filters } : {}) };
  const reply = await source.post('/v1/exports', { exported_object: object, parameters });
  return parseExport('POST /v1/exports', reply).id;
}

/** Requests all fields, and only the common fields if the source refuses some. */
async function start(source: Source, progress: Progress, name: string, wanted: Wanted): Promise<string> {
  const { fields, more = [] } = wanted;
  if (more.length > 0 && !progress.step(name).isPlain) {
    try {
      return await startExport(source, { ...wanted, fields: [...fields, ...more] });
    } catch (error) {
      if (!(error instanceof SourceRefusal) || error.status !== 400) throw error;
      await progress.note(name, { isPlain: true });
    }
  }
  return startExport(source, wanted);
}

/** Waits until the file is written, and returns its address. Returns nothing if the source gave the export up, or forgot it. */
async function awaitFile(source: Source, id: string): Promise<string | undefined> {
  const begun = source.clock.now();
  for (let pause = second; source.clock.now() - begun < longestExport; pause = Math.min(2 * pause, longestPause)) {
    const reply = await source.get(`/v1/exports/${encodeURIComponent(id)}`).catch((error: unknown) => {
      if (error instanceof SourceRefusal && error.status === 404) return undefined;
      throw error;
    });
    if (reply === undefined) return undefined;
    const { status, result } = parseExport('GET /v1/exports/{exportId}', reply);
    if (status === 'DONE' && result) return result.url;
    if (status === 'ERROR') return undefined;
    await source.clock.wait(pause);
  }
  throw new SourceSilent(`the export ${id} was not done in a day`);
}

/** Stores a file. A file without a last line end is cut off, although its connection ended well. */
async function store(pieces: AsyncIterable<Uint8Array>, path: string): Promise<boolean> {
  const file = await open(`${path}.part`, 'w', ownerOnly).catch((error: unknown) => {
    throw new LocalFault(`${path} cannot be written`, { cause: error });
  });
  let last: number | undefined;
  try {
    for await (const piece of pieces) {
      await file.writeFile(piece);
      last = piece.at(-1) ?? last;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (last !== lineFeed) return false;
  await rename(`${path}.part`, path);
  return true;
}

/** Starts an export that neither this run nor an earlier one has started. */
export async function beginExport(source: Source, progress: Progress, name: string, wanted: Wanted): Promise<string> {
  const known = progress.step(name).exportId;
  if (known !== undefined) return known;
  const id = await start(source, progress, name, wanted);
  await progress.note(name, { ...progress.step(name), exportId: id });
  return id;
}

const tries = 3;

/** Fetches an export to a file of the folder. A run that died waits for the export that it had started. */
export async function fetchExport(source: Source, progress: Progress, name: string, wanted: Wanted): Promise<void> {
  for (let left = tries; left > 0; left--) {
    const id = await beginExport(source, progress, name, wanted);
    const url = await awaitFile(source, id);
    const isWhole = url !== undefined && (await source.download(url, (pieces) => store(pieces, progress.path(name))));
    if (isWhole) return progress.note(name, { done: true });
    await progress.note(name, { ...progress.step(name), exportId: undefined });
  }
  throw new SourceSilent(`the export of ${wanted.object} ended ${tries} times without its whole file`);
}

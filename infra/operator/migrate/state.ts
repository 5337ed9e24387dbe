import { mkdir, open, readFile, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

/** Keeps the progress of a migration in a folder, so that a run continues where the previous run ended. */

const step = v.object({
  /** The place from which the list continues. */
  at: v.optional(v.string()),
  /** The length of the file up to that place. */
  bytes: v.optional(v.number()),
  /** The source refused fields that not every service has. */
  isPlain: v.optional(v.boolean()),
  /** The export at the source. */
  exportId: v.optional(v.string()),
  /** The reason why the source did not provide it. */
  refused: v.optional(v.string()),
  /** True if the list continues after its last page. */
  isTooLong: v.optional(v.boolean()),
  done: v.optional(v.boolean()),
});

export type Step = v.InferOutput<typeof step>;

const state = v.object({
  from: v.string(),
  project: v.string(),
  /** Counts the runs that ended. */
  ended: v.number(),
  steps: v.record(v.string(), step),
});

type State = v.InferOutput<typeof state>;

/** A line of the log, of the run with this number. */
const logged = v.object({ ended: v.number(), name: v.string(), step });

const stateName = 'state.json';
const logName = 'state.log';

const ownerOnly = 0o600;
const folderOwnerOnly = 0o700;

/** Writes a file atomically: readers see the old file or the whole new file, even after a loss of power. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(`${path}.part`, 'w', ownerOnly);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Applies the notes of the log. A crash may have cut off its last line, and may have left the log of an ended run. */
function replay(known: State, log: string): void {
  for (const line of log.split('\n').slice(0, -1)) {
    const { ended, name, step } = v.parse(logged, JSON.parse(line));
    if (ended === known.ended) known.steps[name] = step;
  }
}

async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, 'a', ownerOnly);
  try {
    await file.appendFile(line);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** The folder belongs to another migration. */
export class ForeignFolder extends Error {}

export class Progress {
  readonly folder: string;
  readonly #state: State;

  private constructor(folder: string, state: State) {
    this.folder = folder;
    this.#state = state;
  }

  static async open(folder: string, { from, project }: { from: string; project: string }): Promise<Progress> {
    await mkdir(folder, { recursive: true, mode: folderOwnerOnly });
    const text = await readIfThere(join(folder, stateName));
    const fresh: State = { from, project, ended: 0, steps: {} };
    const known = text === undefined ? fresh : v.parse(state, JSON.parse(text));
    const log = await readIfThere(join(folder, logName));
    if (log !== undefined) replay(known, log);
    const isForeign = known.from !== from || known.project !== project;
    // A mistyped address leaves a folder in which nothing was read.
    const isUsed = known.ended > 0 || Object.keys(known.steps).length > 0;
    if (isForeign && isUsed) {
      throw new ForeignFolder(`${folder} has a migration from ${known.from} to ${known.project}`);
    }
    const progress = new Progress(folder, isForeign ? fresh : known);
    if (text === undefined || isForeign || log !== undefined) await progress.#save();
    return progress;
  }

  get ended(): number {
    return this.#state.ended;
  }

  step(name: string): Step {
    return this.#state.steps[name] ?? {};
  }

  get refused(): [name: string, why: string][] {
    return Object.entries(this.#state.steps).flatMap(([name, { refused }]) => (refused ? [[name, refused]] : []));
  }

  /**
   * Notes the progress of a step, after everything that it describes was written. A project has a step for each product
   * and segment, so a note is a line and never the whole state.
   */
  async note(name: string, step: Step): Promise<void> {
    this.#state.steps[name] = step;
    await appendLine(this.path(logName), `${JSON.stringify({ ended: this.ended, name, step })}\n`);
  }

  /** Ends the run. The next one reads everything again. */
  async end(): Promise<void> {
    this.#state.ended += 1;
    this.#state.steps = {};
    await this.#save();
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Opens the file of a step for appending, without anything after the noted length. */
  async append(name: string, { bytes = 0 }: Step) {
    const path = this.path(name);
    const file = await open(path, 'a', ownerOnly);
    await truncate(path, bytes);
    let length = bytes;
    return {
      write: async (text: string): Promise<number> => {
        await file.appendFile(text);
        await file.datasync();
        length += Buffer.byteLength(text);
        return length;
      },
      close: () => file.close(),
    };
  }

  async remove(name: string): Promise<void> {
    await rm(this.path(name), { force: true });
  }

  /** Writes the whole state. If the log outlives this, its notes are repeated, or ignored after the end of their run. */
  async #save(): Promise<void> {
    await writeWhole(this.path(stateName), `${JSON.stringify(this.#state, undefined, 1)}\n`);
    await this.remove(logName);
  }
}

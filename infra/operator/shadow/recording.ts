import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { Complaint } from '../../command-line.ts';

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A file of requests, a line each. */
export interface Recording {
  readonly add: (line: string) => void;
  /** Resolves once all lines are in the file, or cannot be. */
  readonly end: () => Promise<void>;
}

/**
 * Opens the file before the proxy starts, because a till must not be cut off for the sake of a record. A later failure
 * ends the record alone. `complain` is called once.
 */
export async function openRecording(path: string, complain: (words: string) => void): Promise<Recording> {
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  await once(file, 'open').catch((error: unknown) => {
    throw new Complaint(`--record: ${reasonOf(error)}`);
  });
  let isOver = false;
  file.on('error', (error) => {
    isOver = true;
    complain(`--record: ${error.message}. The proxy continues without a record.`);
  });
  const written = finished(file).catch(() => {});
  return {
    add: (line) => {
      if (!isOver) file.write(`${line}\n`);
    },
    end: () => {
      file.end();
      return written;
    },
  };
}

import { countBytes, createDecoder, type Encoding, findMark } from '#kernel/core/files/encoding.ts';
import { type CsvLine, findBeginning, hasHeader, readLineAt, type Separator } from './csv.ts';
import { csvError } from './csv-cells.ts';

/** Reads a CSV file piece by piece, with one line and one piece in memory. */

export interface StreamedLine extends CsvLine {
  /** The byte of the file where the next line begins, and the number of that line. */
  readonly next: { readonly byte: number; readonly number: number };
  readonly separator: Separator;
  readonly encoding: Encoding;
}

interface From {
  readonly byte: number;
  readonly number: number;
  /** Absent at the beginning of a file, whose header decides it. */
  readonly separator?: Separator | undefined;
  /** Absent at the beginning of a file, whose byte order mark decides it. */
  readonly encoding?: Encoding | undefined;
}

export const fileStart: From = { byte: 0, number: 1 };

/** Limits a line, in characters. No valid row is longer. */
const maxLineLength = 1_048_576;

/**
 * Yields the lines from a place on, without empty lines. Throws `WrongEncoding` at bytes that do not fit the encoding.
 */
export async function* streamCsv(pieces: AsyncIterable<Uint8Array>, from: From): AsyncGenerator<StreamedLine> {
  let { byte, number, separator, encoding } = from;
  let decode: ReturnType<typeof createDecoder> | undefined;
  let text = '';

  function begin(piece: Uint8Array): ReturnType<typeof createDecoder> {
    const mark = from.byte > 0 ? undefined : findMark(piece);
    encoding ??= mark?.encoding ?? 'utf-8';
    byte += mark?.bytes ?? 0;
    return createDecoder(encoding, from.byte === 0);
  }

  function* linesOf(isWhole: boolean): Generator<StreamedLine> {
    if (encoding === undefined || (separator === undefined && !isWhole && !hasHeader(text))) return;
    let at = 0;
    if (separator === undefined) {
      const beginning = findBeginning(text);
      separator = beginning.separator;
      at = beginning.place.at;
      number += beginning.place.number - 1;
      byte += countBytes(text.slice(0, at), encoding);
    }
    while (at < text.length) {
      const line = readLineAt(text, { at, number }, { separator, isWhole });
      if (!line) break;
      byte += countBytes(text.slice(at, line.next.at), encoding);
      number = line.next.number;
      at = line.next.at;
      if (line.cells.length > 0) yield { ...line, next: { byte, number }, separator, encoding };
    }
    text = text.slice(at);
    if (text.length > maxLineLength) {
      throw csvError(`line ${number} must have at most ${maxLineLength} characters: is a quote not closed?`);
    }
  }

  for await (const piece of pieces) {
    decode ??= begin(piece);
    text += decode(piece);
    yield* linesOf(false);
  }
  text += decode?.() ?? '';
  yield* linesOf(true);
}

import { type CsvLine, findSeparator, readLineAt, type Separator } from './csv.ts';
import { csvError } from './csv-cells.ts';

/** Reads a CSV file piece by piece, with one line and one piece in memory. */

export interface StreamedLine extends CsvLine {
  /** The byte of the file where the next line begins, and the number of that line. */
  readonly next: { readonly byte: number; readonly number: number };
  readonly separator: Separator;
}

interface From {
  readonly byte: number;
  readonly number: number;
  /** Absent at the beginning of a file, whose header decides it. */
  readonly separator?: Separator | undefined;
}

export const fileStart: From = { byte: 0, number: 1 };

/** Limits a line, in characters. No valid row is longer. */
const maxLineLength = 1_048_576;

/** The bytes of the mark that spreadsheets put before a file. */
const byteOrderMark = 3;

function decoderFrom({ byte }: From): (piece?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: byte > 0 });
  return (piece) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw csvError('the file must be UTF-8');
    }
  };
}

/** Returns whether the text has a whole line that is not empty, so that its separators can be counted. */
function hasHeader(text: string): boolean {
  return /[^\r\n][\r\n]/.test(text.replaceAll(/"[^"]*(?:"|$)/g, 'x'));
}

/** Yields the lines from a place on, without empty ones. */
export async function* streamCsv(pieces: AsyncIterable<Uint8Array>, from: From): AsyncGenerator<StreamedLine> {
  const decode = decoderFrom(from);
  let { byte, number, separator } = from;
  let text = '';
  let isMarked: boolean | undefined = from.byte > 0 ? false : undefined;

  function* linesOf(isWhole: boolean): Generator<StreamedLine> {
    if (separator === undefined && !isWhole && !hasHeader(text)) return;
    separator ??= findSeparator(text);
    let at = 0;
    while (at < text.length) {
      const line = readLineAt(text, { at, number }, { separator, isWhole });
      if (!line) break;
      byte += Buffer.byteLength(text.slice(at, line.next.at));
      number = line.next.number;
      at = line.next.at;
      if (line.cells.length > 0) yield { ...line, next: { byte, number }, separator };
    }
    text = text.slice(at);
    if (text.length > maxLineLength) {
      throw csvError(`line ${number} must have at most ${maxLineLength} characters: is a quote not closed?`);
    }
  }

  for await (const piece of pieces) {
    isMarked ??= piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf;
    text += decode(piece);
    if (isMarked && byte === 0) byte = byteOrderMark;
    yield* linesOf(false);
  }
  text += decode();
  yield* linesOf(true);
}

/** Reads the text of files that spreadsheets write: UTF-8, UTF-16 with its mark, or Windows-1252. */

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

export type Encoding = (typeof encodings)[number];

export const notText = 'must be UTF-8, UTF-16 with a byte order mark, or Windows-1252: save it as CSV UTF-8';

/** The bytes do not fit the encoding. */
export class WrongEncoding extends Error {
  constructor() {
    super(`the file ${notText}`);
  }
}

/** Some spreadsheets read a file as UTF-8 only if it begins with this. */
export const byteOrderMark = '\ufeff';

const marks = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const satisfies readonly [Encoding, readonly number[]][];

/** Returns the encoding of a file that begins with a byte order mark, and the length of the mark. */
export function findMark(start: Uint8Array): { encoding: Encoding; bytes: number } | undefined {
  const found = marks.find(([, mark]) => mark.every((byte, index) => start[index] === byte));
  return found && { encoding: found[0], bytes: found[1].length };
}

/** The characters of the bytes from 0x80 to 0x9F in Windows-1252. Five of these bytes have no character. */
const highCharacters = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

function readWindows(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.replaceAll(/[\x80-\x9f]/g, (byte) => {
    const character = highCharacters[byte.charCodeAt(0) - 0x80] ?? '\0';
    if (character === '\0') throw new WrongEncoding();
    return character;
  });
}

/** Returns a reader of pieces, and without a piece of the end. It throws `WrongEncoding`. Drops a byte order mark at the beginning. */
export function createDecoder(encoding: Encoding, isBeginning: boolean): (piece?: Uint8Array) => string {
  if (encoding === 'windows-1252') return (piece) => (piece ? readWindows(piece) : '');
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: !isBeginning });
  return (piece) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new WrongEncoding();
    }
  };
}

/** Returns the bytes of a text in an encoding. */
export function countBytes(text: string, encoding: Encoding): number {
  if (encoding === 'windows-1252') return text.length;
  return encoding === 'utf-8' ? Buffer.byteLength(text) : 2 * text.length;
}

/** Characters above U+007F. */
const high = /[^\0-\x7f]/g;

/**
 * Decides whether a file without a mark that is not UTF-8 is Windows-1252. A damaged file of UTF-8 has many more characters of several
 * bytes than faults.
 */
export class WindowsTest {
  readonly #decoder = new TextDecoder();
  #isWindows = true;
  #pieces = 0;
  #faults = 0;
  #characters = 0;

  add(piece: Uint8Array): void {
    this.#isWindows &&= this.#pieces > 0 || findMark(piece) === undefined;
    this.#pieces += 1;
    this.#count(this.#decoder.decode(piece, { stream: true }));
    try {
      readWindows(piece);
    } catch {
      this.#isWindows = false;
    }
  }

  end(): Encoding | undefined {
    this.#count(this.#decoder.decode());
    return this.#isWindows && this.#faults >= this.#characters ? 'windows-1252' : undefined;
  }

  #count(text: string): void {
    for (const [character] of text.matchAll(high)) {
      if (character === '\ufffd') this.#faults += 1;
      else this.#characters += 1;
    }
  }
}

/** Reads a whole file. Throws `WrongEncoding` if no known encoding fits. */
export function readText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const mark = findMark(bytes);
  const read = (encoding: Encoding) => {
    const decode = createDecoder(encoding, true);
    return { text: decode(bytes) + decode(), encoding };
  };
  try {
    return read(mark?.encoding ?? 'utf-8');
  } catch (error) {
    if (mark) throw error;
  }
  const test = new WindowsTest();
  test.add(bytes);
  const encoding = test.end();
  if (encoding === undefined) throw new WrongEncoding();
  return read(encoding);
}

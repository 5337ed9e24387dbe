/** Characters without width, and marks of direction, which are copied along with a code. */
const invisible = '\\u00ad\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff';
const atEnds = new RegExp(`^[\\s\\p{Cc}${invisible}]+|[\\s\\p{Cc}${invisible}]+$`, 'gu');
const noBreakBlanks = /[\u00a0\u2007\u202f]/g;
const dashes = /[\u2010-\u2015\u2212]/g;
/** Almost all codes have this form, which nothing changes. */
const isPlain = /^[!-~]+$/;
const control = /\p{Cc}/u;

/**
 * Returns the form in which codes are compared, because codes are often pasted from mails and documents: NFC, without
 * blanks and invisible characters at the ends, with plain blanks and dashes.
 */
export function canonicalCode(code: string): string {
  if (isPlain.test(code)) return code;
  const trimmed = code.normalize('NFC').replace(atEnds, '');
  return trimmed === '' ? code : trimmed.replace(noBreakBlanks, ' ').replace(dashes, '-');
}

/** Returns why a new code is refused, as words that follow `code`. */
export function findCodeFault(code: string): string | undefined {
  if (control.test(code)) return 'must not have control characters, such as line ends and tabs';
  if (code.replace(atEnds, '') !== code) return 'must not begin or end with a blank or an invisible character';
  if (code === '.' || code === '..') return `must not be ${code}, because addresses cannot have it`;
  return undefined;
}

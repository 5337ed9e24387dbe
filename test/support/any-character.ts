import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };
const last = 0x10ffff;

function indexOf(text: unknown): number {
  const [character = '', ...others] = typeof text === 'string' ? text : [];
  const point = character.codePointAt(0);
  if (point === undefined || others.length > 0) throw new Error('is not one character');
  return point < surrogates.first ? point : point - surrogates.count;
}

/** Draws any character of Unicode. fast-check's own unit `binary` first lists all of them for a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: last - surrogates.count })
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count), indexOf);

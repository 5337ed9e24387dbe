import { createCipheriv, createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Project } from '#kernel/access/projects/project.ts';
import { findCodeFault } from '#kernel/core/canonical-code.ts';
import { named } from '#kernel/core/documented.ts';
import {
  integer,
  longText,
  maxCodeBytes,
  maxNameLength,
  object,
  positiveInteger,
  shortText,
} from '#kernel/core/schema.ts';
import { foldCode } from './voucher-lists.ts';

/** Describes the codes of a campaign. `initial_count` has no effect. */
export const codeConfig = named(
  'CodeConfig',
  object({
    length: v.optional(positiveInteger),
    charset: v.optional(longText),
    pattern: v.optional(shortText),
    prefix: v.optional(shortText),
    postfix: v.optional(shortText),
    initial_count: v.optional(integer),
  }),
);

export type CodeConfig = v.InferOutput<typeof codeConfig>;

const defaultLength = 8;
const defaultCharset = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** Characters without those that are easily confused when a code is read aloud or typed. */
const unlikeCharset = defaultCharset.replace(/[0O1lI]/g, '');

/** The character of a pattern that is replaced by a generated character. */
const slot = '#';
/** Limits the length, so that a code can be printed and the permutation stays fast. */
const maxGenerated = 64;

function patternOf({ pattern, length = defaultLength }: CodeConfig): string {
  return pattern ?? slot.repeat(Math.min(length, maxGenerated + 1));
}

/** Counts the generated characters of a pattern. */
function countSlots(pattern: string): number {
  return pattern.split(slot).length - 1;
}

/** Drops characters that differ only in case from others, if both would make the same codes. */
function dropAlike(project: Pick<Project, 'caseSensitiveCodes'>, charset: string): string {
  if (project.caseSensitiveCodes) return charset;
  const seen = new Map([...charset].reverse().map((character) => [foldCode(project, character), character]));
  return [...charset].filter((character) => seen.get(foldCode(project, character)) === character).join('');
}

/** Adds the project's own form to a configuration that leaves it open. A pattern or a length replaces both of the project's. */
export function applyProjectForm(
  project: Pick<Project, 'codes' | 'defaultCodeConfig' | 'caseSensitiveCodes'>,
  config: CodeConfig,
): CodeConfig {
  const { pattern, length, ...others } = project.defaultCodeConfig;
  const hasForm = config.pattern !== undefined || config.length !== undefined;
  const usual = { ...others, ...(hasForm ? {} : { ...(pattern ? { pattern } : {}), ...(length ? { length } : {}) }) };
  const charset = config.charset ?? usual.charset ?? (project.codes.avoid_look_alikes ? unlikeCharset : undefined);
  const unlike = dropAlike(project, charset ?? defaultCharset);
  const isUsual = charset === undefined && unlike === defaultCharset;
  const completed = { ...usual, ...config, ...(isUsual ? {} : { charset: unlike }) };
  return isDeepStrictEqual(completed, config) ? config : completed;
}

/** Fills in the defaults. A pattern in the body decides the length. */
export function completeCodeConfig(config: CodeConfig): CodeConfig {
  const pattern = patternOf(config);
  return { length: countSlots(pattern), charset: defaultCharset, ...config, pattern };
}

/** Returns why a configuration must not be created, besides the faults of its space: new codes have no blanks at an end. */
export function findFormFaults(config: CodeConfig): string[] {
  const { prefix = '', postfix = '', charset = '' } = config;
  const fault = findCodeFault(prefix + patternOf(config) + postfix);
  const isBad = [...charset].some((character) => findCodeFault(character) !== undefined && character !== '.');
  return [
    ...(fault === undefined ? [] : [`a code ${fault}`]),
    ...(isBad ? ['charset must not have blanks, control characters or invisible characters'] : []),
  ];
}

/** All codes of a configuration, numbered from 0. */
export interface CodeSpace {
  readonly capacity: bigint;
  /** Returns the code of a number below `capacity`. */
  readonly codeAt: (index: bigint) => string;
}

export type CodeSpaceOutcome = { space: CodeSpace } | { faults: string[] };

/** Builds a code space. `pattern` overrides `length`. Prefix and postfix surround both. Repeats in the charset count once. */
export function buildCodeSpace(config: CodeConfig): CodeSpaceOutcome {
  const charset = [...new Set(config.charset ?? defaultCharset)];
  const pattern = [...patternOf(config)];
  const prefix = config.prefix ?? '';
  const postfix = config.postfix ?? '';
  const generated = countSlots(patternOf(config));

  const faults: string[] = [];
  if (charset.length === 0) faults.push('charset must have at least one character');
  if (generated === 0) faults.push(`pattern must have at least one ${slot}, a placeholder of a generated character`);
  if (generated > maxGenerated) faults.push(`a code must have at most ${maxGenerated} generated characters`);
  const widest = charset.reduce((most, character) => Math.max(most, Buffer.byteLength(character)), 1);
  const fixed = prefix + pattern.filter((character) => character !== slot).join('') + postfix;
  if (Buffer.byteLength(fixed) + generated * widest > maxCodeBytes) {
    faults.push(`a code must have at most ${maxCodeBytes} bytes as UTF-8`);
  }
  if ([...prefix, ...pattern, ...postfix].length > maxNameLength) {
    faults.push(`a code must have at most ${maxNameLength} characters`);
  }
  if (faults.length > 0) return { faults };

  const base = BigInt(charset.length);
  return {
    space: {
      capacity: base ** BigInt(generated),
      codeAt: (index) => {
        let rest = index;
        const characters = pattern.map((character) => {
          if (character !== slot) return character;
          const drawn = charset[Number(rest % base)] ?? '';
          rest /= base;
          return drawn;
        });
        return prefix + characters.join('') + postfix;
      },
    },
  };
}

/** Permutes the numbers of 0..capacity-1, many at a time. */
type Order = (places: readonly bigint[]) => bigint[];

/** Up to this capacity the order is a permutation. Beyond it, random numbers collide in less than one of a million campaigns. */
const largestPermuted = 1n << 64n;
const rounds = 6;
const blockBytes = 16;

/**
 * Returns a keyed permutation, unpredictable without the key. It is a Feistel network over the next even power of two, repeated until the
 * result is below the capacity. One call of the cipher computes a round for many numbers. `key` has 32 bytes.
 */
export function createKeyedOrder(key: Buffer, capacity: bigint): Order {
  if (capacity > largestPermuted) return hashedOrder(key, capacity);
  const halfBits = Math.ceil((capacity - 1n).toString(2).length / 2);
  const mask = halfBits === 32 ? 0xffffffff : (1 << halfBits) - 1;
  const shift = BigInt(halfBits);
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);

  function shuffle(numbers: readonly bigint[]): bigint[] {
    const left = Uint32Array.from(numbers, (number) => Number(number >> shift));
    const right = Uint32Array.from(numbers, (number) => Number(number & BigInt(mask)));
    const blocks = Buffer.alloc(numbers.length * blockBytes);
    for (let round = 0; round < rounds; round++) {
      for (const [index, half] of right.entries()) {
        blocks.writeUInt32BE(half, index * blockBytes);
        blocks[index * blockBytes + 4] = round;
      }
      const secret = cipher.update(blocks);
      for (const [index, half] of right.entries()) {
        right[index] = ((left[index] ?? 0) ^ secret.readUInt32BE(index * blockBytes)) & mask;
        left[index] = half;
      }
    }
    return Array.from(left, (half, index) => (BigInt(half) << shift) | BigInt(right[index] ?? 0));
  }

  return (places) => {
    const images = shuffle(places);
    for (;;) {
      const outside = [...images.keys()].filter((index) => (images[index] ?? 0n) >= capacity);
      if (outside.length === 0) return images;
      const again = shuffle(outside.map((index) => images[index] ?? 0n));
      for (const [position, index] of outside.entries()) images[index] = again[position] ?? 0n;
    }
  };
}

/** Uses 128 bits more than the largest capacity, so that all numbers are equally likely. */
function hashedOrder(key: Buffer, capacity: bigint): Order {
  const digests = Math.ceil((capacity.toString(2).length + 128) / 512);
  return (places) =>
    places.map((place) => {
      const parts = Array.from({ length: digests }, (_, part) =>
        createHmac('sha512', key).update(`${part} ${place}`).digest('hex'),
      );
      return BigInt(`0x${parts.join('')}`) % capacity;
    });
}

export interface ChunkPlace {
  /** The number of the chunk, from 0, and of all chunks. */
  index: number;
  chunks: number;
  /** The codes that the campaign needs in all, and the codes of this chunk. */
  total: number;
  first: number;
  count: number;
}

/**
 * Yields the draws of a chunk from the `from`th on, equally at every call. The first numbers belong to this chunk
 * alone. If other vouchers use their codes, the numbers that no chunk begins with follow, from a place that is specific
 * to the chunk. After the last draw the code space has no free code for the chunk.
 */
export function* drawCodes(space: CodeSpace, key: Buffer, place: ChunkPlace, from = 0): Generator<string> {
  const inOrder = createKeyedOrder(key, space.capacity);
  const places = placesOf(space, place, from);
  for (;;) {
    const batch = [...takeFrom(places, drawnAtOnce)];
    if (batch.length === 0) return;
    for (const number of inOrder(batch)) yield space.codeAt(number);
  }
}

/** The worker inserts this number of codes in parallel. */
const drawnAtOnce = 100;

function* placesOf(
  { capacity }: CodeSpace,
  { index, chunks, total, first, count }: ChunkPlace,
  from: number,
): Generator<bigint> {
  for (let number = first + from; number < first + count; number++) yield BigInt(number);
  const spare = capacity - BigInt(total);
  const start = (spare * BigInt(index)) / BigInt(chunks);
  for (let step = BigInt(Math.max(0, from - count)); step < spare; step++)
    yield BigInt(total) + ((start + step) % spare);
}

/** Yields the next `count` values of an iterator, fewer at its end. */
export function* takeFrom<T>(from: Iterator<T>, count: number): Generator<T> {
  for (let taken = 0; taken < count; taken++) {
    const next = from.next();
    if (next.done) return;
    yield next.value;
  }
}

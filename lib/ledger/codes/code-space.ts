import { createCipheriv, createHmac } from 'node:crypto';
import * as v from 'valibot';
import { named } from '../../core/documented.ts';
import {
  integer,
  longText,
  maxCodeBytes,
  maxNameLength,
  object,
  positiveInteger,
  shortText,
} from '../../core/schema.ts';
import type { Project } from '../../http/projects/project.ts';

/** How the codes of a campaign look. `initial_count` has no effect. */
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
/** Without the characters that people take for each other when they read a code aloud or type it. */
const unlikeCharset = defaultCharset.replace(/[0O1lI]/g, '');

/** In a pattern, the character that stands for a generated one. */
const slot = '#';
/** Keeps a code short enough to print, and the numbers of the permutation small. */
const maxGenerated = 64;

function patternOf({ pattern, length = defaultLength }: CodeConfig): string {
  return pattern ?? slot.repeat(Math.min(length, maxGenerated + 1));
}

/** Counts the generated characters of a pattern. */
function countSlots(pattern: string): number {
  return pattern.split(slot).length - 1;
}

/** Says the charset of a configuration that says none, where its project has one of its own. */
export function inProject({ codes }: Pick<Project, 'codes'>, config: CodeConfig): CodeConfig {
  if (config.charset !== undefined || !codes.avoid_look_alikes) return config;
  return { ...config, charset: unlikeCharset };
}

/** Fills in the defaults of what was left out. A pattern that was sent decides the length. */
export function wholeCodeConfig(config: CodeConfig): CodeConfig {
  const pattern = patternOf(config);
  return { length: countSlots(pattern), charset: defaultCharset, ...config, pattern };
}

/** All codes that a configuration can yield, numbered from 0. */
export interface CodeSpace {
  readonly capacity: bigint;
  /** `index` below `capacity`. */
  readonly codeAt: (index: bigint) => string;
}

export type CodeSpaceOutcome = { space: CodeSpace } | { faults: string[] };

/** `pattern` overrides `length`; prefix and postfix stand around either. Repeats in the charset count once. */
export function codeSpace(config: CodeConfig): CodeSpaceOutcome {
  const charset = [...new Set(config.charset ?? defaultCharset)];
  const pattern = [...patternOf(config)];
  const prefix = config.prefix ?? '';
  const postfix = config.postfix ?? '';
  const generated = countSlots(patternOf(config));

  const faults: string[] = [];
  if (charset.length === 0) faults.push('charset must have at least one character');
  if (generated === 0) faults.push(`pattern must have at least one ${slot}, which stands for a generated character`);
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

/** Numbers of 0..capacity-1 in an order of their own, for many places in the order at once. */
type Order = (places: readonly bigint[]) => bigint[];

/** Up to here an order is a permutation; beyond, numbers drawn at random meet less than once in a million campaigns. */
const largestPermuted = 1n << 64n;
const rounds = 6;
const blockBytes = 16;

/**
 * A keyed order without repeats, unpredictable without the key: a Feistel network over the next even power of two, walked until
 * it lands below the capacity. The rounds of many numbers are one call of the cipher. `key`: 32 bytes.
 */
export function keyedOrder(key: Buffer, capacity: bigint): Order {
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

/** 128 bits more than the largest capacity has, so that every number is as likely as another. */
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
  /** Which chunk of how many, from 0. */
  index: number;
  chunks: number;
  /** Codes that the campaign asks for in all, and those that this chunk is to have. */
  total: number;
  first: number;
  count: number;
}

/**
 * The draws of one chunk from the `from`th on, the same at every call. First come numbers that no other chunk of the campaign begins with;
 * then, should codes be taken by others, all numbers that no chunk begins with, from a place of the chunk's own on.
 * When they are over, the code space has no free code for it.
 */
export function* drawCodes(space: CodeSpace, key: Buffer, place: ChunkPlace, from = 0): Generator<string> {
  const inOrder = keyedOrder(key, space.capacity);
  const places = placesOf(space, place, from);
  for (;;) {
    const batch = [...take(places, drawnAtOnce)];
    if (batch.length === 0) return;
    for (const number of inOrder(batch)) yield space.codeAt(number);
  }
}

/** As many as the worker inserts at once. */
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

/** The next `count` of an iterator, fewer at its end. */
export function* take<T>(from: Iterator<T>, count: number): Generator<T> {
  for (let taken = 0; taken < count; taken++) {
    const next = from.next();
    if (next.done) return;
    yield next.value;
  }
}

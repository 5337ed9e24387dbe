import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';

/** Every command of this project parses its options, explains itself and ends in the same way. */

const exitCodes = { failed: 1, misused: 2 } as const;

/** Holds a fault that the operator can correct: a headline, and the lines below it. */
export class Complaint extends Error {
  readonly lines: readonly string[];

  constructor(headline: string, lines: readonly string[] = []) {
    super(headline);
    this.lines = lines;
  }

  get text(): string {
    return [this.message, ...this.lines.map((line) => `  ${line}`)].join('\n');
  }
}

/** Rejects an invalid command line. The command's help is shown with it. */
export class Misuse extends Error {}

/** Describes an option of `parseArgs`, with text for the help. `value` names the argument of a string option. */
type Option = ParseArgsOptionDescriptor & { readonly words: string } & (
    | { readonly type: 'boolean' }
    | { readonly type: 'string'; readonly value: string }
  );

export type Options = Readonly<Record<string, Option>>;

export interface Command<O extends Options> {
  /** Describes the command, and lists the ways to call it. */
  readonly usage: string;
  readonly options: O;
  /** The last lines of the help. */
  readonly notes?: string;
  /** The number of arguments that may follow the options: none by default. */
  readonly positionals?: { readonly least: number; readonly most: number };
  /** Leaves unknown options in `rest`, for the program that runs next, instead of refusing them. */
  readonly handsOn?: true;
}

type Parsed<O extends Options> = { args: string[]; options: O; allowPositionals: true };
type Values<O extends Options> = ReturnType<typeof parseArgs<Parsed<O>>>['values'];

export interface Call<O extends Options> {
  readonly values: Values<O>;
  readonly positionals: readonly string[];
  /** Holds the command line without the options of this command, if `handsOn` is set. */
  readonly rest: readonly string[];
}

const help = { help: { type: 'boolean', words: 'shows this text' } } as const satisfies Options;

function helpOf({ usage, options, notes }: Command<Options>): string {
  const rows = Object.entries<Option>({ ...options, ...help }).map(([name, option]) => ({
    name: option.type === 'string' ? `--${name} ${option.value}` : `--${name}`,
    words: typeof option.default === 'string' ? `${option.words} (${option.default})` : option.words,
  }));
  const width = Math.max(...rows.map(({ name }) => name.length));
  const list = rows.map(({ name, words }) => `  ${name.padEnd(width)}  ${words}\n`).join('');
  const ends = 'Exit codes: 0 done, 1 refused or failed, 2 wrong command line.\n';
  return [usage, list, ...(notes === undefined ? [] : [notes]), ends].join('\n');
}

/** Splits the command line in two: the options of this command, and everything else in its order. */
function split(args: string[], options: Options): { own: string[]; rest: string[] } {
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== 'option' || !Object.hasOwn(options, token.name)) continue;
    taken.add(token.index);
    if (token.inlineValue === false) taken.add(token.index + 1);
  }
  return { own: args.filter((_, index) => taken.has(index)), rest: args.filter((_, index) => !taken.has(index)) };
}

/** Parses the command line. Throws `Misuse`, or an error of `parseArgs`, if the command does not accept it. */
export function parseCall<const O extends Options>(
  { options, positionals, handsOn }: Command<O>,
  args: string[],
): Call<O> {
  const { own, rest } = handsOn ? split(args, options) : { own: args, rest: [] };
  const parsed = parseArgs<Parsed<O>>({ args: own, options, allowPositionals: true });
  const { least, most } = positionals ?? { least: 0, most: 0 };
  if (parsed.positionals.length < least) throw new Misuse('An argument is missing: see the usage below.');
  const tooMany = parsed.positionals[most];
  if (tooMany !== undefined) throw new Misuse(`"${tooMany}" is one argument too many.`);
  return { ...parsed, rest };
}

function isMisuse(error: unknown): error is Error {
  if (error instanceof Misuse) return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

function wordsFor(error: unknown): string {
  if (error instanceof Complaint) return error.text;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs a command to its end. Writes its result to standard output and its faults to standard error. */
export async function runCommand<const O extends Options>(
  command: Command<O>,
  run: (call: Call<O>) => Promise<string | undefined>,
): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(helpOf(command));
    return;
  }
  try {
    process.stdout.write((await run(parseCall(command, args))) ?? '');
  } catch (error) {
    const misused = isMisuse(error);
    process.stderr.write(misused ? `${error.message}\n\n${helpOf(command)}` : `${wordsFor(error)}\n`);
    process.exitCode = misused ? exitCodes.misused : exitCodes.failed;
  }
}

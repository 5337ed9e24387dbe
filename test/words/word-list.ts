/** Finds words that a reader of English as a second language would have to read twice. */

export interface Spoken {
  /** The place as `path:line`. */
  readonly place: string;
  readonly text: string;
}

/** A string, a template without its parts, a comment, or a regular expression after a sign that ends no value. */
const token =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

const withoutMarks = (comment: string) =>
  comment
    .replace(/^\/\*+|\*+\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\*|\/\/)\s?/, '').trim())
    .join('\n')
    .trim();

/** Returns the comments of a source. Lines of `//` that follow each other are one comment. */
export function commentsIn(path: string, source: string): Spoken[] {
  const found: { place: string; text: string; line: number; isLine: boolean }[] = [];
  for (const match of source.matchAll(token)) {
    const [text] = match;
    if (!text.startsWith('//') && !text.startsWith('/*')) continue;
    const line = source.slice(0, match.index).split('\n').length;
    const before = found.at(-1);
    const isLine = text.startsWith('//');
    if (isLine && before?.isLine && before.line === line - 1) {
      before.text += `\n${withoutMarks(text)}`;
      before.line = line;
    } else {
      found.push({ place: `${path}:${line}`, text: withoutMarks(text), line, isLine });
    }
  }
  return found
    .filter(({ text }) => !/^(?:biome-ignore|@|language=|#)/.test(text))
    .map(({ place, text }) => ({ place, text }));
}

/** A text of at least four words has a human reader: an error, a description, a name of a test. */
const leastWords = 4;

/** Returns the texts that a source says: strings and templates, of which `${…}` is one word. */
export function textsIn(path: string, source: string): Spoken[] {
  return [...source.matchAll(token)].flatMap((match) => {
    const [literal] = match;
    if (!/^['"`]/.test(literal)) return [];
    const text = literal
      .slice(1, -1)
      .replace(/\$\{[^}]*\}/g, 'value')
      .replace(/\\(['"`])/g, '$1');
    const words = text.split(/\s+/).filter((word) => /^[("]?[A-Za-z][\w'-]*[).,:;"]*$/.test(word));
    if (words.length < leastWords || words.length < text.split(/\s+/).length * 0.6) return [];
    return [{ place: `${path}:${source.slice(0, match.index).split('\n').length}`, text }];
  });
}

/** Code, quotations and addresses are not prose. */
export function proseOf(text: string): string {
  return text
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/`[^`]*`/g, 'Code')
    .replace(/"[^"\n]*"/g, 'quote')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\/\/\S+/g, 'address');
}

const longestSentence = 25;

/** Splits prose into sentences. An abbreviation or a number with a point ends none. */
export function sentencesIn(text: string): string[] {
  return proseOf(text)
    .replace(/\b(?:e\.g|i\.e|etc|vs|cf)\./gi, 'abbreviation')
    .split(/(?<=[.!?;:])\s+(?=[A-Z`'"([\d]|$)|\n\s*\n|\n(?=\s*[-*|#\d])/)
    .map((one) => one.replace(/\s+/g, ' ').trim())
    .filter((one) => one.length > 0);
}

const fragments = /^(?:What|Of|Those|By|Who|Whose|Whom|As|Where|Which|How|With)\b/;

/** Each habit by a name, with what shows it. */
const habits: readonly (readonly [habit: string, shows: RegExp])[] = [
  [
    'says "is there" for exists',
    /\b(?:is|are|was|were|be|been) (?:not |still |already )?there\b(?! (?:a|an|any|no|some|to)\b)/i,
  ],
  ['says "not there" for missing', /\bnot there\b|\bno longer there\b/i],
  ['says "gone" for deleted', /\b(?:is|are|was|were|has|have) gone\b/i],
  [
    'uses who for a role',
    /\b(?:whoever|whom)\b|(?:^|[:;,.] |\b(?:of|by|to|for|from|than|what|as) )who (?:asks?|has|have|comes?|calls?|holds?|pays?|sends?|waits?|wants?|reads?|writes?)\b/i,
  ],
  ['says "of it" for a noun', /\b(?:of it|of them all|of all of them|that of|those of|these of|one of it)\b/i],
  ['says "can not be"', /\bcan not\b/i],
  ['says "as it is"', /\bas (?:it|they) (?:now |then )?(?:is|are|was|were)\b/i],
  ['says "what is of"', /\bwhat is of\b|\bwhat is so\b|\bthat is so\b/i],
];

/** Returns what is wrong with a text, a line for each fault. `isComment`: its first word is also checked. */
export function faultsOfWords({ place, text }: Spoken, { isComment }: { isComment: boolean }): string[] {
  const prose = proseOf(text);
  const first = isComment ? fragments.exec(prose.trim())?.[0] : undefined;
  const shown = habits.flatMap(([habit, shows]) => {
    const match = shows.exec(prose.replace(/\s+/g, ' '));
    return match ? [`${place} ${habit}: ${match[0]}`] : [];
  });
  const long = sentencesIn(text)
    .map((sentence) => ({ sentence, words: sentence.split(' ').filter((word) => /\w/.test(word)).length }))
    .filter(({ words }) => words > longestSentence)
    .map(({ sentence, words }) => `${place} has a sentence of ${words} words: ${sentence.slice(0, 60)}`);
  return [...(first ? [`${place} begins with a fragment word: ${first}`] : []), ...shown, ...long];
}

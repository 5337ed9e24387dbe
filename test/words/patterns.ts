/** Words that read as translated, each with a pattern (docs/glossary.md). */
const patterns = {
  'sentences that begin with "So"': /(?:^|[.:|] |^\s*- )So (?!(?:that|do|does)\b)/gm,
  '"at once"': /\bat once\b/gi,
  'nobody, somebody, anybody, everybody': /\b(?:nobody|somebody|anybody|everybody|whoever)\b/gi,
  '"is no X"': /\b(?:is|are) no\b(?! (?:longer|more)\b)/g,
  'a final "too"': /\btoo(?:[.,;:]|$)/g,
  'anew, for good, meanwhile, of its own': /\banew\b|\bfor good\b|\bmeanwhile\b|\bof (?:its|their) own\b/gi,
  '*takes* for accepts or needs': /\btakes?\b(?! (?:back|a block back|a reward back|its history)\b)/gi,
  '*one* for a noun':
    /\b(?:the|that|this|an|another|other|older|newer|last|next|first|known|stored|each|every|which|only|such|own|same|new|old|sent|a) ones?\b(?=[.,;:)]|$| (?:of|is|was|has|that|which|with|in|for|to|by|on|at|are|were|and|or|from|does|may|can|must|behind|before|after|than|too)\b)|\bones?\b(?=[.,;:]|$)/gim,
  'behind, beside': /\b(?:behind|beside)\b/g,
  'goes, stands, tells, asks': /\b(?:goes|stands|tells|asks)\b/g,
} as const satisfies Readonly<Record<string, RegExp>>;

type PatternName = keyof typeof patterns;

/** Lists the patterns with the most places that a body of text may have. */
export function limitPatterns(most: Readonly<Record<PatternName, number>>) {
  const names = Object.keys(patterns) as PatternName[];
  return names.map((name) => ({ name, pattern: patterns[name], most: most[name] }));
}

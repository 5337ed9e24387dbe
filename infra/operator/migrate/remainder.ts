import type { Migrated } from './run.ts';

/** Lists what no app key can copy, with what to do about it. */
function leftOut(project: string): string[] {
  return [
    `App keys and tokens: make new ones with \`npm run app-key -- create ${project} --name …\`, and client keys by a project file.`,
    'Brands and metadata of custom events: management keys read them. Enter them here by `/management/v1` or a project file.',
    'Metadata schemas, webhooks, users and the bin: not copied.',
    'Ledgers of cards and activities of customers: cards begin with their balances. Keep transactions.csv, which has the history.',
    'Tiers of members: the balance decides, until the programme computes them again.',
    'The parts of redemptions of several codes: exports do not have them.',
    'Ids of vouchers: they are new, and paths take the old ones too. Codes and all other ids are the same, but publications have new ids.',
  ];
}

export function findRemainder(project: string, { notes, refused, forgotten }: Migrated): string[] {
  return [
    ...(forgotten > 0 ? [`${forgotten} pending points ended at the source and were taken away.`] : []),
    ...(notes.length > 0 ? ['Changed or left out:', ...notes.map((note) => `  ${note}`)] : []),
    ...(refused.length > 0 ? ['The source did not give:', ...refused.map(([name, why]) => `  ${name}: ${why}`)] : []),
    'Not copied, and what to do:',
    ...leftOut(project).map((line) => `  ${line}`),
  ];
}

import type { Migrated } from './run.ts';

/** Lists what no app key can copy, with the operator's next steps. */
function leftOut(project: string): string[] {
  return [
    `App keys and tokens: make new keys with \`npm run app-key -- create ${project} --name …\`, and client keys by a project file. Limits by app key begin again with the new keys.`,
    'Settings of the project (currency, time zone, features), brands and metadata of custom events: management keys read them. Enter them here by `/management/v1` or a project file.',
    'Metadata schemas, webhooks, users, campaign templates and the bin: not copied.',
    'Ledgers of cards and activities of customers: cards begin with their balances. Keep transactions.csv, which has the history.',
    'Returns of orders: not copied. Orders have the figures of their sale. Refunds stay in the source.',
    'Summaries of campaigns: they count from now on. The source has the earlier figures.',
    'Tiers of members: the balance decides, until the programme computes them again.',
    'Dates of holdings: a voucher counts as held since its creation. Referral codes keep the dates of their holders.',
    'Ids of vouchers: they are new, also within ids of holdings and of points by day, and so are addresses of codes as pictures. Paths also accept the old ids. Orders and rewards of redemptions show the old ids. Codes and all other ids are the same.',
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

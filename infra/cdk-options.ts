/**
 * `npm run deploy -- --stage prod`: the CDK's command line with the options of this app, which it knows as context only.
 * Anything else goes through to it as it stands.
 */
const options: readonly string[] = ['--stage', '--alarm-email', '--mail-sender', '--management-guard'];

export function contextOf([first, second, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [];
  const [name = '', inline] = first.split(/=(.*)/s);
  if (!options.includes(name)) return [first, ...contextOf(second === undefined ? [] : [second, ...rest])];
  const value = inline ?? second;
  if (value === undefined) throw new Error(`${name} needs a value`);
  const key = name.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [
    '-c',
    `${key}=${value}`,
    ...contextOf(inline === undefined ? rest : second === undefined ? [] : [second, ...rest]),
  ];
}

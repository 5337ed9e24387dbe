/** Returns the value of a column for a subject. Amounts have the decimals of the project's currency. */
export type Column<S> = (subject: S, decimals: number) => unknown;

export type ExportColumns<S> = Readonly<Record<string, Column<S>>>;

function fieldOf(subject: object, name: string): unknown {
  return Object.hasOwn(subject, name) ? Reflect.get(subject, name) : undefined;
}

/** Makes columns of fields under their own names. */
export function plainColumns(...names: readonly string[]): ExportColumns<object> {
  return Object.fromEntries(names.map((name) => [name, (subject) => fieldOf(subject, name)]));
}

/** Formats an amount. Files have major units with up to this many decimals, and the API has minor units. */
export function formatMajorUnits(amount: unknown, decimals: number): string | undefined {
  if (typeof amount !== 'number') return undefined;
  const [sign, size] = [amount < 0 ? '-' : '', Math.abs(amount)];
  const unit = 10 ** decimals;
  const minor = size % unit;
  return `${sign}${Math.trunc(size / unit)}${minor === 0 ? '' : `.${String(minor).padStart(decimals, '0')}`}`;
}

/** Makes columns of amounts under their own names. */
export function amountColumns(...names: readonly string[]): ExportColumns<object> {
  return Object.fromEntries(
    names.map((name) => [name, (subject, decimals) => formatMajorUnits(fieldOf(subject, name), decimals)]),
  );
}

const metadataKey = /^metadata\.(.+)$/s;

/** Returns the column of a field, or of one key of metadata if the object has metadata. */
export function findColumn<S extends object>(known: ExportColumns<S>, name: string): Column<S> | undefined {
  if (Object.hasOwn(known, name)) return known[name];
  const [, key] = metadataKey.exec(name) ?? [];
  const metadata = known.metadata;
  return key === undefined || metadata === undefined
    ? undefined
    : (subject, decimals) => fieldOf(Object(metadata(subject, decimals)), key);
}

/** Returns the title: `voucher_type` becomes Voucher Type, and a key of metadata keeps its name. */
export function writeTitle(name: string): string {
  if (metadataKey.test(name)) return name;
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join(' ').replaceAll(/\b(?:Id|Qr)\b/g, (word) => word.toUpperCase());
}

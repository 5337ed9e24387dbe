/** Returns the value of a column for a subject. */
export type Column<S> = (subject: S) => unknown;

export type ExportColumns<S> = Readonly<Record<string, Column<S>>>;

function fieldOf(subject: object, name: string): unknown {
  return Object.hasOwn(subject, name) ? Reflect.get(subject, name) : undefined;
}

/** Makes columns of fields under their own names. */
export function plainColumns(...names: readonly string[]): ExportColumns<object> {
  return Object.fromEntries(names.map((name) => [name, (subject) => fieldOf(subject, name)]));
}

/** Formats an amount. Files have major units with up to two decimals, and the API has minor ones. */
export function formatMajorUnits(amount: unknown): string | undefined {
  if (typeof amount !== 'number') return undefined;
  const [sign, size] = [amount < 0 ? '-' : '', Math.abs(amount)];
  const minor = size % 100;
  return `${sign}${Math.trunc(size / 100)}${minor === 0 ? '' : `.${String(minor).padStart(2, '0')}`}`;
}

/** Makes columns of amounts under their own names. */
export function amountColumns(...names: readonly string[]): ExportColumns<object> {
  return Object.fromEntries(names.map((name) => [name, (subject) => formatMajorUnits(fieldOf(subject, name))]));
}

const metadataKey = /^metadata\.(.+)$/s;

/** Returns the column of a field, or of one key of metadata if the object has metadata. */
export function findColumn<S extends object>(known: ExportColumns<S>, name: string): Column<S> | undefined {
  if (Object.hasOwn(known, name)) return known[name];
  const [, key] = metadataKey.exec(name) ?? [];
  const metadata = known.metadata;
  return key === undefined || metadata === undefined ? undefined : (subject) => fieldOf(Object(metadata(subject)), key);
}

/** Returns the title: `voucher_type` becomes Voucher Type, and a key of metadata keeps its name. */
export function writeTitle(name: string): string {
  if (metadataKey.test(name)) return name;
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join(' ').replaceAll(/\b(?:Id|Qr)\b/g, (word) => word.toUpperCase());
}

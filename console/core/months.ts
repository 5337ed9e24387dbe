export interface Expiring {
  /** Holds the points that expire, by month. Months without any are in between. */
  readonly months: readonly { readonly label: string; readonly value: number }[];
  /** Counts points that expire after the last of these months. */
  readonly later: number;
  readonly never: number;
}

const mostMonths = 36;

function monthAfter(month: string): string {
  const next = new Date(`${month}-01T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, 7);
}

/** Sums points by the month of their last day, from the first such month to the last month. */
export function sumByMonth(
  buckets: readonly { readonly points: number; readonly expires: string | undefined }[],
): Expiring {
  const sumOf = (wanted: (expires: string | undefined) => boolean) =>
    buckets.filter(({ expires }) => wanted(expires)).reduce((sum, { points }) => sum + points, 0);
  const known = buckets.flatMap(({ expires }) => expires?.slice(0, 7) ?? []).sort();
  const [first, last] = [known[0], known.at(-1)];
  const months: { label: string; value: number }[] = [];
  for (let month = first; month && last && month <= last && months.length < mostMonths; month = monthAfter(month)) {
    const label = month;
    months.push({ label, value: sumOf((expires) => expires?.startsWith(label) === true) });
  }
  const end = months.at(-1)?.label ?? '';
  const later = sumOf((expires) => expires !== undefined && expires.slice(0, 7) > end);
  return { months, later, never: sumOf((expires) => expires === undefined) };
}

interface Switched {
  active: boolean;
  start_date?: string | undefined;
  expiration_date?: string | undefined;
}

/** Switched on, and not before its start nor after its end. ISO 8601 in UTC with milliseconds compares as text. */
export function isOn({ active, start_date, expiration_date }: Switched, now: Date): boolean {
  const time = now.toISOString();
  return active && (!start_date || start_date <= time) && (!expiration_date || time <= expiration_date);
}

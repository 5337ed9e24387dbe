/** Dates that a person types or reads are days of the browser's time zone. */

/** Returns the moment at which a day, YYYY-MM-DD, begins here. */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00`).toISOString();
}

/** Returns the day, YYYY-MM-DD, that a calendar here shows at a moment. */
export function dayOf(moment: Date): string {
  const month = String(moment.getMonth() + 1).padStart(2, '0');
  return `${moment.getFullYear()}-${month}-${String(moment.getDate()).padStart(2, '0')}`;
}

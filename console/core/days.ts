const dayInMs = 86_400_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns a clock of the zone. Making a clock is slow, and a screen reads a thousand times. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  clocks.set(timeZone, made);
  return made;
}

/** Returns the time on the clocks of the zone, as milliseconds of a clock in UTC. */
function readClock(ms: number, timeZone: string): number {
  const parts = new Map(
    clockOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'));
}

/** Returns the hour of the zone's clocks, such as `2026-11-28T07`. Its first ten characters are the day. */
export const hourIn = (ms: number, timezone: string) => new Date(readClock(ms, timezone)).toISOString().slice(0, 13);

/** Returns the day, YYYY-MM-DD, that a calendar of the zone shows. */
export const dayIn = (ms: number, timezone: string) => hourIn(ms, timezone).slice(0, 10);

/** Returns the day `by` days later, or earlier if it is negative. */
export const shiftDay = (day: string, by: number) =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) + by * dayInMs).toISOString().slice(0, 10);

/** Returns the first moment of a day, YYYY-MM-DD. Some days begin at 01:00, because clocks went forward at midnight. */
export function startOfDay(day: string, timezone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  // The clocks of a day and of its neighbours differ from UTC by at most two offsets.
  const starts = [-dayInMs, dayInMs].map((shift) => {
    const offset = readClock(midnight + shift, timezone) - (midnight + shift);
    return midnight - offset;
  });
  const ofDay = starts.filter((start) => readClock(start, timezone) >= midnight);
  return new Date(ofDay.length > 0 ? Math.min(...ofDay) : midnight);
}

/** Returns the moment at which a day, YYYY-MM-DD, begins in the time zone of the browser. */
export function startOfDayHere(day: string): string {
  return new Date(`${day}T00:00`).toISOString();
}

/** Returns the moment at which a day, YYYY-MM-DD, ends in the time zone of the browser. */
export function endOfDayHere(day: string): string {
  const moment = new Date(`${day}T00:00`);
  moment.setDate(moment.getDate() + 1);
  return moment.toISOString();
}

/** Returns the day, YYYY-MM-DD, that a calendar of the browser shows at a moment. */
export function dayOf(moment: Date): string {
  const month = String(moment.getMonth() + 1).padStart(2, '0');
  return `${moment.getFullYear()}-${month}-${String(moment.getDate()).padStart(2, '0')}`;
}

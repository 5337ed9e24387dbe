import * as v from 'valibot';

const requestLine = v.looseObject({
  time: v.string(),
  status: v.number(),
  route: v.optional(v.string()),
  method: v.optional(v.string()),
  path: v.optional(v.string()),
  duration_ms: v.optional(v.number()),
  error_key: v.optional(v.string()),
  cause: v.optional(v.string()),
  cause_message: v.optional(v.string()),
});

function clockOf(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : at.toTimeString().slice(0, 8);
}

/** Shortens a line of the log for human readers: a request becomes a short line. Other lines stay unchanged. */
export function shortenForPeople(line: string): string {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const request = v.safeParse(requestLine, entry);
  if (!request.success) return line;
  const { time, status, route, method, path, duration_ms, error_key, cause, cause_message } = request.output;
  const words = [
    clockOf(time),
    status,
    path === undefined ? (route ?? 'no route') : `${method} ${encodeURI(path.toWellFormed())}: no route`,
    ...(duration_ms === undefined ? [] : [`${duration_ms} ms`]),
    ...(error_key === undefined ? [] : [error_key]),
    ...(cause === undefined ? [] : [`${cause}: ${cause_message ?? ''}`]),
  ];
  return words.join('  ');
}

/** Writes the log as text for a terminal, and as JSON for programs. */
export function logTo(stream: { readonly isTTY?: boolean; write: (text: string) => unknown }): (line: string) => void {
  return stream.isTTY ? (line) => stream.write(`${shortenForPeople(line)}\n`) : (line) => stream.write(`${line}\n`);
}

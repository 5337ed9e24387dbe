/** Waits for all parts, and then throws the first failure. A failure of one part does not abort the others. */
export async function allOf(parts: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const done = await Promise.allSettled(parts);
  for (const one of done) if (one.status === 'rejected') throw one.reason;
}

/**
 * Settles as `work` does, or fails with `late` after the time. Late work continues, but no longer delays its caller.
 */
export async function within<Value>(timeInMs: number, work: Promise<Value>, late: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(late)), timeInMs);
  });
  return Promise.race([work, timeUp]).finally(() => clearTimeout(timer));
}

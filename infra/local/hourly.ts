const hourInMs = 3_600_000;

export interface Hourly {
  /** Waits for the current run, and starts no other. */
  stop: () => Promise<void>;
}

/** Runs work now and each hour, like the stack's schedule, and never twice simultaneously. */
export function runHourly(work: (isTimeUp: () => boolean) => Promise<void>, everyMs = hourInMs): Hourly {
  let stopped = false;
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= work(() => stopped).finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(run, everyMs);
  // The timer keeps no process alive.
  timer.unref();
  run();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

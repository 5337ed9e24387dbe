const hourInMs = 3_600_000;

export interface Hourly {
  /** Lets what is running end, and runs it no more. */
  stop: () => Promise<void>;
}

/** Does something now and each hour, as the stack's schedule does; never twice at the same time. */
export function hourly(work: (isTimeUp: () => boolean) => Promise<void>, everyMs = hourInMs): Hourly {
  let stopped = false;
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= work(() => stopped).finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(run, everyMs);
  // It keeps no process from ending.
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

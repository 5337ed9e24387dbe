/** Waits for a time, or until it is cut short. */
export class Sleepers {
  readonly #wakers = new Set<() => void>();

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wakers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      this.#wakers.add(wake);
    });
  }

  wake(): void {
    for (const wake of [...this.#wakers]) wake();
  }
}

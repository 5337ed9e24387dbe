/** Does one thing after the other. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  run<R>(work: () => Promise<R>): Promise<R> {
    const own = this.#last.then(work);
    this.#last = own.catch(() => undefined);
    return own;
  }
}

import { ServiceError } from '#kernel/core/errors.ts';

/** Throws 400 `missing_parameters` with the names of all missing fields. */
export function requireFields<K extends string>(
  form: Readonly<Partial<Record<K, string | undefined>>>,
  names: readonly K[],
): asserts form is Readonly<Record<K, string>> {
  const missing = names.filter((name) => form[name] === undefined);
  if (missing.length > 0) {
    throw new ServiceError('missing_parameters', { details: `the form must have ${missing.join(' and ')}` });
  }
}

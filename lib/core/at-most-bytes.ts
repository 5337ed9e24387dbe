import * as v from 'valibot';

/**
 * Takes what the schema takes, up to so many bytes as JSON. A value with other faults is not written as JSON: it may be nested too
 * deep for that.
 */
export function atMostBytes<S extends v.GenericSchema>(schema: S, max: number): S {
  const isTooLong = v.custom<never>(() => false, `must have at most ${max} bytes as JSON`);
  const run: S['~run'] = (dataset, config) => {
    const found = schema['~run'](dataset, config);
    if (found.issues || Buffer.byteLength(JSON.stringify(found.value) ?? '') <= max) return found;
    return isTooLong['~run']({ typed: false, value: found.value }, config);
  };
  return { ...schema, '~run': run };
}

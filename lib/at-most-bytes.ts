import * as v from 'valibot';

/**
 * What the schema takes, of at most so many bytes as JSON. What has other faults is not written as JSON: it may be nested too deep
 * for that.
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

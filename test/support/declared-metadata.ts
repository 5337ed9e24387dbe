/** Declares the type of each kind that compares as declared. */
export const declaredProperties = {
  size: { type: 'number' },
  since: { type: 'datetime' },
  born: { type: 'date' },
  place: { type: 'geopoint' },
};

/** Values from before the schema may be texts. */
export const valuesBefore = {
  size: '10',
  since: '2026-01-31T23:30:00-02:00',
  born: '2026-02-01',
  place: { latitude: 59.5, longitude: 10 },
};

import * as v from 'valibot';

/** Attributes of every item in the index of due items. */
export const dueItem = v.looseObject({ project_id: v.optional(v.string()), dueAt: v.optional(v.string()) });

import { createExportWork } from '#kernel/kit/exports/work.ts';
import { exportedObjects } from './exported-objects.ts';

/** Makes the files of exports. */
export const writeExports = createExportWork(exportedObjects);

import { importsFiles } from '#kernel/core/files/access.ts';
import { csvUpload } from '#kernel/http/upload.ts';
import { importReply } from './upload.ts';

/** The operations that import a CSV file share this description. */
export const importsCsv = {
  body: csvUpload,
  files: importsFiles,
  answers:
    'The id of the async action that does the work. For a `size`, the reply is the address for the upload of ' +
    'the file. For a `preview`, it is the preview.',
  reply: importReply,
};

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import busboy from 'busboy';
import * as v from 'valibot';
import { described, shownAs } from '#kernel/core/documented.ts';
import { ServiceError } from '#kernel/core/errors.ts';
import { type Encoding, encodings, notText, readText, WrongEncoding } from '#kernel/core/files/encoding.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { identifier, object, positiveInteger } from '#kernel/core/schema.ts';

/**
 * Reads a form with a file. Another check limits the whole body before it is read (lib/kernel/http/input.ts). This
 * check limits its parts.
 */

export const maxUploadParts = 20;
const maxFieldBytes = 10_000;

const limits = { parts: maxUploadParts, fieldSize: maxFieldBytes, fieldNameSize: 100, headerPairs: 20 };

function refused(details: string): ServiceError {
  return new ServiceError('invalid_payload', { details });
}

function textOf(name: string, bytes: Buffer): { text: string; encoding: Encoding } {
  try {
    return readText(bytes);
  } catch (error) {
    if (error instanceof WrongEncoding) throw refused(`${name} ${notText}`);
    throw error;
  }
}

/** Throws if the boundary of the type is missing or broken. */
function parserOf(type: string) {
  try {
    return busboy({ headers: { 'content-type': type }, limits });
  } catch {
    throw new ServiceError('unsupported_media_type', {
      details: 'the body must be sent as multipart/form-data with its boundary',
    });
  }
}

type Upload = Pick<APIGatewayProxyEventV2, 'headers' | 'body' | 'isBase64Encoded'>;

/** Reads files and fields by their names, as texts, with the encoding of the file. A repeated name is refused. */
async function readUpload({ headers, body = '', isBase64Encoded }: Upload): Promise<Record<string, unknown>> {
  const type = headers['content-type'] ?? '';
  const parser = parserOf(/^multipart\/form-data\b/i.test(type) ? type : '');
  const parts = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    const broken = () => reject(refused('the body must be complete, with parts between its boundaries'));
    const add = (name: string, bytes: Buffer) => {
      if (parts.has(name)) reject(refused(`${name} must be sent once`));
      parts.set(name, bytes);
    };
    parser
      .on('file', (name, file) => {
        const chunks: Buffer[] = [];
        file
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => add(name, Buffer.concat(chunks)))
          .on('error', broken);
      })
      .on('field', (name, value, { nameTruncated, valueTruncated }) => {
        if (nameTruncated || valueTruncated) reject(refused(`a field must have at most ${maxFieldBytes} bytes`));
        add(name, Buffer.from(value));
      })
      .on('partsLimit', () => reject(refused(`the body must have at most ${maxUploadParts} parts`)))
      .on('error', broken)
      .on('close', resolve);
    parser.end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
  });
  const read = [...parts].map(([name, bytes]) => [name, textOf(name, bytes)] as const);
  const texts = Object.fromEntries(read.map(([name, { text }]) => [name, text]));
  const encoding = read.find(([name]) => name === 'file')?.[1].encoding;
  return { ...texts, ...(encoding ? { encoding } : {}) };
}

/** A file that exceeds a function's body is uploaded to an address of the file store. */
const maxUploadBytes = 100_000_000;

const csvForm = v.object({
  file: shownAs(v.pipe(v.string(), v.nonEmpty('must not be empty')), {
    type: 'string',
    contentMediaType: 'text/csv',
  }),
  preview: described(
    v.optional(v.picklist(['true', 'false'])),
    'With `true` nothing is imported. The reply shows the first rows, the meaning of each column, and the rows that would fail.',
  ),
});

/** The form after it was read. The bytes of the file decide the encoding, even if a field has this name. */
const readForm = v.object({ ...csvForm.entries, encoding: v.optional(v.picklist(encodings)) });

const announced = object({
  size: described(
    v.pipe(positiveInteger, v.maxValue(maxUploadBytes, `must be at most ${maxUploadBytes} bytes`)),
    'Bytes of a file that is put to the address of the reply.',
  ),
});

const uploaded = object({
  upload_id: described(
    identifier,
    'The `upload_id` of the reply that gave the address. The file at that address is imported.',
  ),
});

/** Decides which of the three forms a body has, so that faults concern one form. */
function shapeOf(body: unknown) {
  if (isRecord(body) && 'size' in body) return announced;
  return isRecord(body) && 'upload_id' in body ? uploaded : readForm;
}

const anyOfThem = v.lazy<v.UnionSchema<[typeof readForm, typeof announced, typeof uploaded], undefined>>(
  // The type names all forms, and a body has one of them.
  (body) => shapeOf(body) as never,
);

function readJson({ body = '', isBase64Encoded }: Upload): unknown {
  try {
    return JSON.parse(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
  } catch {
    throw refused('the body must be JSON');
  }
}

/**
 * Accepts a CSV file in the field `file`, or JSON about an uploaded file. Only operations with an upload import this, and the parser with
 * it.
 */
export const csvUpload = {
  format: 'file',
  schema: anyOfThem,
  form: csvForm,
  json: v.union([announced, uploaded]),
  read: async (event: Upload): Promise<unknown> =>
    /^application\/json\b/i.test(event.headers['content-type'] ?? '') ? readJson(event) : readUpload(event),
} as const;

export type CsvUpload = v.InferOutput<typeof anyOfThem>;

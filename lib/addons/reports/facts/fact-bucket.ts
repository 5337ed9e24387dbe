import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { readWhole } from '#kernel/core/files/bucket.ts';

export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
}

/** Holds the files of facts. */
export interface FactBucket {
  /** Lists files in the order of their keys. */
  readonly list: (prefix: string) => Promise<StoredFile[]>;
  /** Lists the folders directly in a folder, with a slash at their end. */
  readonly listFolders: (prefix: string) => Promise<string[]>;
  /** Returns `undefined` for a missing file. */
  readonly read: (key: string) => Promise<Uint8Array | undefined>;
  readonly write: (key: string, content: Uint8Array | string) => Promise<void>;
  readonly remove: (keys: readonly string[]) => Promise<void>;
}

/** Limits simultaneous removals. */
const removedAtOnce = 20;

export function createFactBucket(client: S3Client, bucket: string): FactBucket {
  async function* pages(prefix: string, delimiter?: string) {
    let token: string | undefined;
    do {
      const asked = { Bucket: bucket, Prefix: prefix, Delimiter: delimiter, ContinuationToken: token };
      const page = await client.send(new ListObjectsV2Command(asked));
      yield page;
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }
  return {
    list: async (prefix) => {
      const found: StoredFile[] = [];
      for await (const { Contents = [] } of pages(prefix)) {
        for (const { Key = '', Size = 0 } of Contents) found.push({ key: Key, bytes: Size });
      }
      return found;
    },
    listFolders: async (prefix) => {
      const found: string[] = [];
      for await (const { CommonPrefixes = [] } of pages(prefix, '/')) {
        for (const { Prefix = '' } of CommonPrefixes) found.push(Prefix);
      }
      return found;
    },
    read: async (key) => {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return Body && (await readWhole(Body.transformToWebStream()));
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
    write: async (key, content) => {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content }));
    },
    remove: async (keys) => {
      for (let first = 0; first < keys.length; first += removedAtOnce) {
        const some = keys.slice(first, first + removedAtOnce);
        await Promise.all(some.map((Key) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))));
      }
    },
  };
}

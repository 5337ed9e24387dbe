import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from 'node:crypto';

/** Seals a text, so that only a caller with the same secret can open it (AES-256-GCM). */
export interface Seal {
  readonly close: (text: string) => Uint8Array;
  /** Throws if the bytes were sealed with another secret. */
  readonly open: (sealed: Uint8Array) => string;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Seals with the project's `key` and the caller's secret. The secret is stored nowhere, so only its caller can open the text. */
export function createSeal(key: KeyObject, secret: string): Seal {
  const sealing = () => createHmac('sha256', key).update(secret).digest();
  return {
    close: (text) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, sealing(), nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open: (sealed) => {
      const [nonce, tag] = [sealed.subarray(0, nonceBytes), sealed.subarray(nonceBytes, nonceBytes + tagBytes)];
      const decipher = createDecipheriv(algorithm, sealing(), nonce).setAuthTag(tag);
      const opened = [decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()];
      return Buffer.concat(opened).toString('utf8');
    },
  };
}

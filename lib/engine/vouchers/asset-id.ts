import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Project } from '#kernel/access/projects/project.ts';

/**
 * The id of a voucher's picture is the code, encrypted and authenticated under the project's key (AES-256-GCM). The
 * name of the project comes before it. The nonce is derived from kind and code, so that a voucher keeps its URLs.
 */

export type AssetKind = 'qr' | 'barcode';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

const boundTo = (kind: AssetKind, projectId: string) => Buffer.from(`${kind} ${projectId}`);

export function sealAssetId(project: Project, kind: AssetKind, code: string): string {
  const nonce = createHmac('sha256', project.assetNonceKey).update(`${kind} ${code}`).digest().subarray(0, nonceBytes);
  const cipher = createCipheriv(algorithm, project.assetKey, nonce, { authTagLength: tagBytes });
  cipher.setAAD(boundTo(kind, project.id));
  const encrypted = Buffer.concat([cipher.update(code, 'utf8'), cipher.final()]);
  return `${project.id}.${Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64url')}`;
}

/** Returns the project that an id claims. Only the key of that project proves the claim. */
export function readClaimedProject(id: string): string | undefined {
  return /^([\w-]{1,64})\.[\w-]+$/.exec(id)?.[1];
}

/** Returns the code, or `undefined` if `sealAssetId` did not make the id for this project and kind. */
export function openAssetId(project: Project, kind: AssetKind, id: string): string | undefined {
  const sealed = Buffer.from(id.slice(project.id.length + 1), 'base64url');
  if (sealed.length <= nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, project.assetKey, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(boundTo(kind, project.id));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const code = Buffer.concat([decipher.update(sealed.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString(
      'utf8',
    );
    return id === sealAssetId(project, kind, code) ? code : undefined;
  } catch {
    return undefined;
  }
}

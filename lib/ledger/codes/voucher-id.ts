import { createHmac } from 'node:crypto';
import { idPrefixes } from '../../core/ids.ts';
import type { Project } from '../../http/projects/project.ts';

/**
 * The id is a keyed hash of the code: code and id lead to one item, no two vouchers of a project share a code, and
 * nobody without the project's secret can tell a code's id. 128 bits.
 */
export function voucherId(project: Project, code: string): string {
  const hash = createHmac('sha256', project.voucherIdKey).update(code).digest();
  return idPrefixes.voucher + hash.subarray(0, 16).toString('base64url');
}

/** Whether a text has the form of a voucher id; a code may have it too. */
export function looksLikeVoucherId(text: string): boolean {
  return /^v_[\w-]{22}$/.test(text);
}

import { createHmac } from 'node:crypto';
import { idPrefixes } from '../../core/ids.ts';
import type { Project } from '../../http/projects/project.ts';

/** Returns the text that decides which voucher a code names. Some projects tell no codes apart that differ in case alone. */
export function foldCode({ caseSensitiveCodes }: Pick<Project, 'caseSensitiveCodes'>, code: string): string {
  return caseSensitiveCodes ? code : code.toLowerCase().toUpperCase();
}

/**
 * Returns the id of a code, a keyed hash of 128 bits. Code and id lead to the same item, so no two vouchers of a project share a code.
 * Without the project's secret, the id of a code cannot be computed.
 */
export function voucherId(project: Project, code: string): string {
  const hash = createHmac('sha256', project.voucherIdKey).update(foldCode(project, code)).digest();
  return idPrefixes.voucher + hash.subarray(0, 16).toString('base64url');
}

/** Returns whether a text has the form of a voucher id. A code may have it too. */
export function hasVoucherIdForm(text: string): boolean {
  return /^v_[\w-]{22}$/.test(text);
}

/** Returns the ids that a voucher with this code or id may have. The code comes first, because it wins. */
export function voucherIds(project: Project, codeOrId: string): string[] {
  const byCode = voucherId(project, codeOrId);
  return hasVoucherIdForm(codeOrId) ? [byCode, codeOrId] : [byCode];
}

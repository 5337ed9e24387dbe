/**
 * Decides which texts of users may appear in a mail of the operator. They must not lead to an address that a user has
 * chosen.
 */

/** Matches signs of web and mail addresses, and a dot before a part of a domain, which has at least two letters. `J.R. Moe` is a name. */
const addressSigns = /[@/\\:]|(?<=[\p{L}\p{M}\p{N}-])\.(?=[\p{L}\p{M}\p{N}-]{2})/gu;

/**
 * Matches invisible characters, such as marks that reverse a text. They can split an address that a mail program joins
 * again.
 */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns the text with a single sign for its variants, because programs read some signs as a dot. */
function spellOut(text: string): string {
  return text.normalize('NFKC').replaceAll('\u3002', '.');
}

/** Returns whether a mail program may turn a part of the text into a link: a web or mail address, or a domain. */
export function readsLikeAnAddress(text: string): boolean {
  return spellOut(text).search(addressSigns) >= 0;
}

/** Returns the text with spaces in place of the signs that mail programs turn into links. */
export function withoutAddresses(text: string): string {
  const seen = text.replaceAll(unseen, '');
  return readsLikeAnAddress(seen) ? spellOut(seen).replaceAll(addressSigns, ' ') : seen;
}

/**
 * Matches invisible characters: format characters, such as tags and marks that reverse a text, and characters that
 * programs do not show. A customer's name could carry a message in them, and a model reads it.
 */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns the text without invisible characters. */
export function showPlainly(text: string): string {
  return text.replaceAll(unseen, '');
}

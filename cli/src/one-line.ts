/** Names and what other systems say are untrusted text, and a terminal obeys control characters. */
export const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();

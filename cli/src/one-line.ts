/** Reasons and names are text of others, and a terminal obeys control characters. */
export const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();

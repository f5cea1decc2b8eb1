/** A text without the title of the whole, which is the title of the page or window that it stands in. */
export const withoutTitle = (markdown: string): string => markdown.replace(/^\s*#[ \t][^\n]*(?:\n|$)/, '').trim();

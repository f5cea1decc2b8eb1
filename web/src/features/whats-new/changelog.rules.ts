/** The number in the first heading that has one: changes are told newest first. */
export const newestVersion = (markdown: string): string | undefined =>
  /^#{1,6}\s+\D*?(?<version>\d+\.\d+[\w.+-]*)/m.exec(markdown)?.groups?.['version'];

/** Without the title of the whole page, which is the window's title already. */
export const withoutTitle = (markdown: string): string => markdown.replace(/^\s*#[ \t][^\n]*(?:\n|$)/, '').trim();

/** The number in the first heading that has one: changes are told newest first. */
export const newestVersion = (markdown: string): string | undefined =>
  /^#{1,6}\s+\D*?(?<version>\d+\.\d+[\w.+-]*)/m.exec(markdown)?.groups?.['version'];

/** `1.4.0`, `v1.4.0 · 2026-11-16`, `[1.4.0] - 2026-11-16`: the version and its day; undefined for any other heading. */
export const versionHeading = (heading: string): { readonly version: string; readonly day: string | undefined } | undefined => {
  const found = /^\[?v?(?<version>\d+(?:\.[\w+-]+)+)\]?(?:[\s·–—(-]+(?<day>\d{4}-\d{2}-\d{2})\)?)?$/.exec(heading.trim())?.groups;
  const version = found?.['version'];
  return version === undefined ? undefined : { version, day: found?.['day'] };
};

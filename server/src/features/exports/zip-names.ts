import { pdfFileName } from '#platform/http/attachment.ts';

export interface NamedDocument {
  readonly id: string;
  /** `yyyy-mm-dd`, the day that its list shows. */
  readonly day: string;
  readonly fileName: string;
}

/** File systems count bytes (255 of a name), Windows the characters of the whole path. */
const maxStemBytes = 180;

const cutTo = (text: string, maxBytes: number): string => {
  let cut = text;
  // Half a surrogate pair at the end is removed.
  while (Buffer.byteLength(cut) > maxBytes) cut = cut.slice(0, -1).replace(/[\ud800-\udbff]$/, '');
  return cut.trimEnd();
};

/**
 * What the documents are called in an archive: day and name, so that a folder sorts them by time. No folders, nothing that Windows refuses,
 * and each name once, also where capitals and composed letters do not count.
 */
export const zipNames = (documents: readonly NamedDocument[]): string[] => {
  const taken = new Set<string>();
  return documents.map(({ id, day, fileName }) => {
    const stem = cutTo(pdfFileName(fileName, id).replace(/\.pdf$/i, ''), maxStemBytes);
    for (let number = 1; ; number += 1) {
      const name = `${day} ${stem}${number === 1 ? '' : ` (${number})`}.pdf`;
      const sameFor = name.normalize('NFC').toLowerCase();
      if (taken.has(sameFor)) continue;
      taken.add(sameFor);
      return name;
    }
  });
};

import { languageTag, t } from './language.ts';

/** As computers show files, and as limits are set: 5 MB are 5 242 880 bytes. */
const kilobyte = 1_024;
const megabyte = 1_024 * kilobyte;

/** A number with the separators of the language; groups from four digits on in both, so that columns line up. */
export const numberText = (value: number, maximumFractionDigits = 3): string =>
  new Intl.NumberFormat(languageTag(), { useGrouping: 'always', maximumFractionDigits }).format(value).replaceAll(' ', '\u{a0}');

/** A file size: bytes below 1 kB, else kB or MB with one decimal. */
export const sizeText = (bytes: number): string => {
  if (bytes < kilobyte) return unbroken(t('size.bytes', { number: numberText(bytes, 0) }));
  // A little less than a megabyte would be rounded to 1 024 kB.
  if (bytes < megabyte - kilobyte / 20) return unbroken(t('size.kilobytes', { number: numberText(bytes / kilobyte, 1) }));
  return unbroken(t('size.megabytes', { number: numberText(bytes / megabyte, 1) }));
};

/** The exact size, as the details panel and the certificate show it. */
export const bytesText = (bytes: number): string => unbroken(t('size.bytes', { number: numberText(bytes, 0) }));

const unbroken = (text: string): string => text.replaceAll(' ', '\u{a0}');

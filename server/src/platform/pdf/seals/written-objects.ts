/** A name may have each of its characters as `#xx`. Decoding elsewhere, too, only finds more. */
const decodeEscapes = (text: string): string =>
  text.includes('#') ? text.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text;

/** Whether a part of a PDF (latin1) names streams of objects, or tables that lead to some. */
export const namesPackedObjects = (text: string): boolean => /\/(?:ObjStm|XRefStm)/.test(decodeEscapes(text));

/** Longer than any number of an object with its generation, as writers write them. */
const maxHeaderLength = 64;
const header = /[\0\t\n\f\r ()<>[\]{}/%](\d{1,10})[\0\t\n\f\r ]+\d{1,10}[\0\t\n\f\r ]*$/;
/** Before the word: what may stand between it and the numbers, or the last digit of these. */
const mayEndHeader = /[\0\t\n\f\r \d]/;

/**
 * The numbers of the objects that this part of a PDF (latin1) writes, also those that only a reader finds who trusts no table. Undefined when one
 * of them is not written plainly: with a comment between its numbers, with a sign, or longer than writers write it.
 */
export const objectsWrittenIn = (text: string): readonly number[] | undefined => {
  const numbers: number[] = [];
  for (let at = text.indexOf('obj'); at >= 0; at = text.indexOf('obj', at + 1)) {
    if (at > 0 && !mayEndHeader.test(text.charAt(at - 1))) continue;
    const before = at < maxHeaderLength ? `\n${text.slice(0, at)}` : text.slice(at - maxHeaderLength, at);
    const number = header.exec(before)?.[1];
    if (number === undefined) return undefined;
    numbers.push(Number(number));
  }
  return numbers;
};

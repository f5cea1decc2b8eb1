import css from './UnbrokenNumbers.module.css';

/** A number with letters, dashes or slashes in it, with the abbreviation before it: 'nr KH-2026-04417', 'PI/2026/05979'. */
const number = /((?:\bnr )?[^\s]*\d[^\s]*[-/][^\s]+)/;

/** A text whose case and contract numbers go to the next line as a whole, if a line holds them at all. */
export function UnbrokenNumbers({ text }: { readonly text: string }) {
  return text.split(number).map((part, index) =>
    number.test(part) ? (
      // The parts of a text are as fixed as the text.
      // oxlint-disable-next-line react/no-array-index-key
      <span key={index} className={css['number']}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}

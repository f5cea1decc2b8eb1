import print from '../../../../design/desk-print.svg?url';
import { classes } from '#kit/styles/classes.ts';
import css from './DeskPrint.module.css';

/** The woven figure of the desk: at its bottom right corner, or centred behind a card. Put it first in a positioned, isolated box. */
export function DeskPrint({ place }: { readonly place: 'corner' | 'centre' }) {
  return (
    <svg className={classes(css['print'], css[place])} aria-hidden="true" focusable="false">
      <use href={`${print}#print`} />
    </svg>
  );
}

import type { Criterion, SavedViewContent, SavedViewKind } from '@pergamin/contract';
import type { IconName } from '#kit/icons/icon-names.generated.ts';

/** How a value is shown: `note` is a quiet remark, `account` an account number in groups, `option` is named by its dictionary. */
type ValueLook = 'text' | 'note' | 'mono' | 'account' | 'day' | 'option';

export interface ListColumn {
  readonly key: string;
  readonly header: string;
  readonly look: ValueLook;
  /** px at the usual text size. */
  readonly width: number;
  readonly narrowWidth?: number;
  /** Where the list has room for it: its longest usual value then takes one line. */
  readonly wideWidth?: number;
  /** Where the columns would not fit, which one leaves first, second, third; none leaves once the customer has chosen columns. */
  readonly leaves?: 1 | 2 | 3;
}

/**
 * A field of the filter form. `range` takes days from and to, either of which may be open; `from` and `to` take one day: the value lies on or
 * after it, on or before it. `flag` is on or off.
 */
export interface ListField {
  readonly key: string;
  readonly label: string;
  readonly look: 'text' | 'select' | 'range' | 'from' | 'to' | 'flag';
  /** The list cannot be sorted by it. */
  readonly unsortable?: boolean;
  readonly mono?: boolean;
  readonly example?: string;
}

export interface ListAction {
  readonly id: 'show' | 'download' | 'check' | 'history';
  readonly icon: IconName;
  readonly label: string;
  readonly named: (name: string) => string;
  /** With its label beside the icon. */
  readonly worded?: boolean;
  /** No button of the row, an entry of its menu. */
  readonly onlyInMenu?: boolean;
}

/** One list of documents, as data. */
export interface ListPlan {
  readonly kind: SavedViewKind;
  /** The accessible name of the table. */
  readonly label: string;
  readonly searchLabel: string;
  /** What makes a document one of this list (D5). */
  readonly criteria: (statementMarker: string) => readonly Criterion[];
  /** Whose range of days narrows the period (D13). */
  readonly dateKey: string;
  /** `optional`: may be searched without one, when there is a range of days (D8). */
  readonly period: 'optional' | 'required' | 'none';
  readonly fields: readonly ListField[];
  /** The first column. The value of `groupKey` stands below the document's name, or alone where the list is `plain`. */
  readonly first: {
    readonly header: string;
    readonly sortKey: string;
    readonly width?: number;
    readonly narrowWidth?: number;
    readonly groupKey?: string;
    readonly plain?: boolean;
    readonly nameKey?: string;
  };
  readonly columns: readonly ListColumn[];
  /** The lines under the name on a phone: keys of columns or of the first one, side by side. */
  readonly phoneLines: readonly (readonly string[])[];
  readonly actions: readonly ListAction[];
  /** A document of this list has to be read before it can be checked (E8). */
  readonly checkAfterReading: boolean;
  readonly texts: { readonly noDate: string; readonly wrongDate: string };
}

/** What a list shows and how: what a saved view keeps. */
export type ListView = SavedViewContent;

/** What narrows a list, apart from the text. */
export type Sought = Pick<ListView, 'period' | 'filters'>;

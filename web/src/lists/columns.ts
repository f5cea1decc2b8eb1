import type { ListPlan, ListView } from './list-plan.ts';

export interface ShownColumn {
  readonly key: string;
  readonly header: string;
  readonly shown: boolean;
  /** Chosen by the customer. */
  readonly widthPx: number | null;
  /** Where it begins. */
  readonly startPx: number;
  /** When it gives its place to the others. */
  readonly leaves: number;
}

const firstColumnPx = 260;

/** All columns of a list, the first one always shown, with what the customer chose about them. */
export const columnsOf = (plan: ListPlan, chosen: ListView['columns']): readonly ShownColumn[] => {
  const choiceOf = (key: string) => chosen.find((column) => column.key === key);
  const { first } = plan;
  return [
    {
      key: first.sortKey,
      header: first.header,
      shown: true,
      widthPx: choiceOf(first.sortKey)?.widthPx ?? null,
      startPx: first.width ?? firstColumnPx,
      leaves: Infinity,
    },
    ...plan.columns.map(({ key, header, width, leaves = Infinity }) => ({
      key,
      header,
      shown: choiceOf(key)?.shown ?? true,
      widthPx: choiceOf(key)?.widthPx ?? null,
      startPx: width,
      leaves,
    })),
  ];
};

/** The columns that the customer would see if there were room for them; the first `lacking` to leave have left, unless columns were chosen. */
export const columnsWithoutRoom = (plan: ListPlan, chosen: ListView['columns'], lacking: number): readonly ShownColumn[] =>
  chosen.length > 0 ? [] : columnsOf(plan, chosen).filter(({ leaves }) => leaves <= lacking);

/** What the customer chose, with another width of one column. */
export const withWidth = (
  plan: ListPlan,
  chosen: ListView['columns'],
  { key, px }: { key: string; px: number | undefined },
): ListView['columns'] =>
  columnsOf(plan, chosen).map((column) => ({
    key: column.key,
    shown: column.shown,
    widthPx: column.key === key ? (px ?? null) : column.widthPx,
  }));

export const widthsOf = (chosen: ListView['columns']): Readonly<Record<string, number>> =>
  Object.fromEntries(chosen.flatMap(({ key, widthPx }) => (widthPx === null ? [] : [[key, widthPx] as const])));

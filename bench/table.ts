import type { Outcome } from './measure.ts';

const number = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(value < 10 ? 2 : 1));

const verdict = ({ isKept, note, ours }: Outcome): string => (note !== '' && ours === undefined ? note : isKept ? 'kept' : 'BROKEN');

const cells = (outcome: Outcome): string[] => {
  const { promised, ours, floor, ratio } = outcome;
  const isRatio = floor !== undefined && promised.limitAtFloor === undefined;
  const at = promised.limitAtFloor === undefined ? '' : ` at a floor of ${promised.limitAtFloor}`;
  return [
    promised.name,
    promised.promise,
    number(ours),
    number(floor),
    promised.unit,
    number(ratio),
    `≤ ${promised.limit}${isRatio ? '' : ` ${promised.unit}`}${at}`,
    verdict(outcome),
  ];
};

const heads = ['name', 'promise', 'ours', 'floor', 'unit', 'ratio', 'limit', ''];

/** As text with aligned columns. */
export const tableOf = (outcomes: readonly Outcome[]): string => {
  const rows = [heads, ...outcomes.map(cells)];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

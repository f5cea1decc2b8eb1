import { listLimits, savedViewLimits } from '@pergamin/contract';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { Checkbox } from '#kit/forms/Checkbox.tsx';
import { Flyout } from '#kit/overlays/Flyout.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import css from './ColumnsPanel.module.css';
import { columnsOf, columnsWithoutRoom, type ShownColumn, withColumn } from './columns.ts';
import type { ListPlan, ListView } from './list-plan.ts';

interface ColumnsPanelProps {
  readonly plan: ListPlan;
  readonly columns: ListView['columns'];
  /** How many of the columns that may leave have no room. */
  readonly lacking: number;
  readonly onChange: (columns: ListView['columns']) => void;
}

const step = 20;

/** Which columns are shown, and how wide: what can be dragged in the table's head can be pressed here. */
export function ColumnsPanel({ plan, columns, lacking, onChange }: ColumnsPanelProps) {
  const shown = columnsOf(plan, columns);
  const without = columnsWithoutRoom(plan, columns, lacking).map(({ key }) => key);
  const hidden = without.length === 0 ? undefined : t('list.columnsHidden', { count: without.length });
  const name = hidden === undefined ? t('list.columns') : `${t('list.columns')}, ${hidden}`;
  const change = (key: string, choice: Partial<Pick<ShownColumn, 'shown' | 'widthPx'>>) =>
    onChange(withColumn(plan, columns, { key, ...choice }));
  return (
    <Flyout icon="columns" name={name} count={without.length} label={t('list.columns')} size="m">
      {() => (
        <div className={css['panel']}>
          {hidden !== undefined && (
            <div className={css['hidden']}>
              <span>{hidden}</span>
              <Button size="s" onClick={() => change('', {})}>
                {t('list.showAllColumns')}
              </Button>
            </div>
          )}
          <ul>
            {shown.map((column, i) => (
              <li key={column.key}>
                {i === 0 ? (
                  <span className={css['fixed']}>{column.header}</span>
                ) : (
                  <Checkbox
                    label={without.includes(column.key) ? t('list.columnWithoutRoom', { column: column.header }) : column.header}
                    checked={column.shown}
                    onChange={(checked) => change(column.key, { shown: checked })}
                  />
                )}
                <IconButton
                  icon="minus"
                  name={t('list.narrower', { column: column.header })}
                  onClick={() => change(column.key, { widthPx: Math.max(listLimits.columnMinWidthPx, widthOf(column) - step) })}
                />
                <IconButton
                  icon="plus"
                  name={t('list.wider', { column: column.header })}
                  onClick={() => change(column.key, { widthPx: Math.min(savedViewLimits.columnMaxWidthPx, widthOf(column) + step) })}
                />
                <IconButton
                  icon="arrow-clockwise"
                  name={t('list.resetWidth', { column: column.header })}
                  disabledReason={column.widthPx === null ? t('list.usualWidth') : undefined}
                  onClick={() => change(column.key, { widthPx: null })}
                />
              </li>
            ))}
          </ul>
          <Button size="s" kind="quiet" onClick={() => onChange([])}>
            {t('list.resetColumns')}
          </Button>
        </div>
      )}
    </Flyout>
  );
}

const widthOf = ({ widthPx, startPx }: ShownColumn): number => widthPx ?? startPx;

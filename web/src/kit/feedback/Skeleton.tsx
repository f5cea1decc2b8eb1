import css from './Skeleton.module.css';

/** A bar in the place of a text to come; `width` in percent. */
export function SkeletonBar({ width }: { readonly width: number }) {
  return <span className={css['bar']} style={{ width: `${width}%` }} aria-hidden="true" />;
}

interface SkeletonProps {
  readonly rows: number;
  readonly label: string;
  /** `table`: a head, then seals and two lines, as a table or the phone's list will have them. */
  readonly look?: 'lines' | 'table';
  /** Of a table whose head is there already: each bar stands where the values of its column will be. */
  readonly columns?: TableShape;
}

interface TableShape {
  /** As `grid-template-columns` has it, with the columns for selecting and for the buttons of a row. */
  readonly template: string;
  readonly minWidth: string;
  readonly canSelect: boolean;
  /** Without those two. */
  readonly count: number;
}

/** Rows of the height of the rows to come. The container says `aria-busy`, a live text says what loads. */
export function Skeleton({ rows, label, look = 'lines', columns }: SkeletonProps) {
  return (
    <div className={css['rows']} role="status" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {look === 'table' && columns === undefined && <div className={css['head']} aria-hidden="true" />}
      {Array.from({ length: rows }, (_, i) =>
        columns === undefined ? (
          <div key={i} className={css['row']} data-look={look} aria-hidden="true">
            {look === 'table' ? <SealAndLines row={i} /> : <SkeletonBar width={24 + ((i * 13) % 22)} />}
            <SkeletonBar width={12 + ((i * 7) % (look === 'table' ? 4 : 12))} />
            <SkeletonBar width={14} />
          </div>
        ) : (
          <RowInColumns key={i} row={i} {...columns} />
        ),
      )}
    </div>
  );
}

function RowInColumns({ row, template, minWidth, canSelect, count }: TableShape & { readonly row: number }) {
  return (
    <div className={css['row']} data-look="columns" style={{ gridTemplateColumns: template, minWidth }} aria-hidden="true">
      {canSelect && <span className={css['box']} />}
      <span className={css['cell']}>
        <SealAndLines row={row} />
      </span>
      {Array.from({ length: count - 1 }, (_, i) => (
        <span key={i} className={css['cell']}>
          <SkeletonBar width={72 + ((row * 7 + i * 11) % 20)} />
        </span>
      ))}
    </div>
  );
}

function SealAndLines({ row }: { readonly row: number }) {
  return (
    <>
      <span className={css['seal']} />
      <span className={css['two']}>
        <SkeletonBar width={32 + ((row * 17) % 24)} />
        <SkeletonBar width={48 + ((row * 13) % 34)} />
      </span>
    </>
  );
}

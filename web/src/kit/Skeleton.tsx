import css from './Skeleton.module.css';

/** A bar in the place of a text to come; `width` in percent. */
export function Bone({ width }: { readonly width: number }) {
  return <span className={css['bone']} style={{ width: `${width}%` }} aria-hidden="true" />;
}

interface SkeletonProps {
  readonly rows: number;
  readonly label: string;
  /** `table`: a head, then seals and two lines, as a table or the phone's list will have them. */
  readonly look?: 'lines' | 'table';
}

/** Rows of the height of the rows to come. The container says `aria-busy`, a live text says what loads. */
export function Skeleton({ rows, label, look = 'lines' }: SkeletonProps) {
  return (
    <div className={css['rows']} role="status" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {look === 'table' && <div className={css['head']} aria-hidden="true" />}
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} className={css['row']} data-look={look} aria-hidden="true">
          {look === 'table' ? <SealAndLines row={i} /> : <Bone width={24 + ((i * 13) % 22)} />}
          <Bone width={12 + ((i * 7) % (look === 'table' ? 4 : 12))} />
          <Bone width={14} />
        </div>
      ))}
    </div>
  );
}

function SealAndLines({ row }: { readonly row: number }) {
  return (
    <>
      <span className={css['seal']} />
      <span className={css['two']}>
        <Bone width={32 + ((row * 17) % 24)} />
        <Bone width={48 + ((row * 13) % 34)} />
      </span>
    </>
  );
}

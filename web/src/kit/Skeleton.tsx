import css from './Skeleton.module.css';

/** A bar in the place of a text to come; `width` in percent. */
export function Bone({ width }: { readonly width: number }) {
  return <span className={css['bone']} style={{ width: `${width}%` }} aria-hidden="true" />;
}

/** Rows of the height of the rows to come. The container says `aria-busy`, a live text says what loads. */
export function Skeleton({ rows, label }: { readonly rows: number; readonly label: string }) {
  return (
    <div className={css['rows']} role="status" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} className={css['row']} aria-hidden="true">
          <Bone width={24 + ((i * 13) % 22)} />
          <Bone width={12 + ((i * 7) % 12)} />
          <Bone width={14} />
        </div>
      ))}
    </div>
  );
}

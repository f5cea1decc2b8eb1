import css from './Spinner.module.css';

/** Turning ring; decoration, so a text beside it says what is going on. Rests under reduced motion. */
export function Spinner() {
  return <span className={css['spinner']} aria-hidden="true" />;
}

export interface ProgressLabelProps {
  /** 0–100; without it the bar is absent and only the ring turns. */
  readonly percent?: number | undefined;
  readonly text: string;
}

/** What is being waited for, in words, with a bar when the end is known. */
export function ProgressLabel({ percent, text }: ProgressLabelProps) {
  return (
    <div className={css['progress']}>
      <Spinner />
      <p>{text}</p>
      {percent !== undefined && (
        <div
          className={css['bar']}
          role="progressbar"
          aria-label={text}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(percent)}
        >
          <i style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
        </div>
      )}
    </div>
  );
}

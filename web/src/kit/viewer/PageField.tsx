import { type FormEvent, type KeyboardEvent, useState } from 'react';
import css from './ViewerBar.module.css';

interface PageFieldProps {
  readonly page: number;
  readonly count: number;
  readonly name: string;
  readonly total: string;
  readonly onGo: (page: number) => void;
}

/** The page number as a field: Enter goes there, Escape and leaving put the present number back. */
export function PageField({ page, count, name, total, onGo }: PageFieldProps) {
  const [typed, setTyped] = useState<string>();
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = Number(typed);
    if (Number.isInteger(wanted) && wanted >= 1) onGo(Math.min(wanted, count));
    setTyped(undefined);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && typed !== undefined) {
      event.stopPropagation();
      setTyped(undefined);
    }
  };
  return (
    <form className={css['page']} onSubmit={handleSubmit}>
      <input
        className={css['number']}
        aria-label={name}
        inputMode="numeric"
        autoComplete="off"
        value={typed ?? String(page)}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, '').slice(0, 5))}
        onFocus={(event) => event.target.select()}
        onBlur={() => setTyped(undefined)}
        onKeyDown={handleKeyDown}
      />
      <span className={css['total']}>{total}</span>
    </form>
  );
}

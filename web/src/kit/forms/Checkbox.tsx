import { useEffect, useRef } from 'react';
import css from './Checkbox.module.css';

export interface CheckboxProps {
  readonly label: string;
  readonly labelHidden?: boolean;
  readonly checked: boolean;
  readonly mixed?: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Checkbox({ label, labelHidden = false, checked, mixed = false, disabled = false, onChange }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Not an attribute: only the property exists.
    if (box.current) box.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <label className={css['check']}>
      <input ref={box} type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      <span className={labelHidden ? 'visually-hidden' : undefined}>{label}</span>
    </label>
  );
}

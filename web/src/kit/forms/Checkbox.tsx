import css from './Checkbox.module.css';

export interface CheckboxProps {
  readonly label: string;
  readonly labelHidden?: boolean;
  readonly checked: boolean;
  readonly mixed?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Checkbox({ label, labelHidden = false, checked, mixed = false, onChange }: CheckboxProps) {
  return (
    <label className={css['check']}>
      <input
        ref={(box) => {
          // Not an attribute: only the property exists.
          if (box !== null) box.indeterminate = mixed;
        }}
        type="checkbox"
        aria-label={labelHidden ? label : undefined}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {!labelHidden && <span>{label}</span>}
    </label>
  );
}

import { useState } from 'react';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import { t } from '#platform/language.ts';

interface PasswordFieldProps {
  readonly label: string;
  readonly name: string;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly describedBy?: string;
}

/** The most that the contract lets through; a longer paste is refused in words, never cut off silently at the limit of the rules. */
const mostCharacters = 200;

/** A password that can be pasted, filled in by a password manager and looked at. */
export function PasswordField({ label, value, onChange, describedBy, ...rest }: PasswordFieldProps) {
  const [revealed, setRevealed] = useState(false);
  return (
    <TextField
      {...rest}
      label={label}
      type={revealed ? 'text' : 'password'}
      value={value}
      maxLength={mostCharacters}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      aria-describedby={describedBy}
      onChange={({ target }) => onChange(target.value)}
      trailing={
        <IconButton
          icon={revealed ? 'eye-slash' : 'eye'}
          name={t(revealed ? 'password.hide' : 'password.reveal', { field: label })}
          onClick={() => setRevealed(!revealed)}
        />
      }
    />
  );
}

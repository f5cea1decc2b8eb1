import { useRef } from 'react';
import { Button, type ButtonProps } from './Button.tsx';

export interface FileButtonProps extends Omit<ButtonProps, 'onClick' | 'children'> {
  /** The words of the button, and the name of the field that its dialog fills. */
  readonly label: string;
  /** As the attribute of a file field; a hint for the dialog, and no check. */
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Opens the system's dialog for files. The same file can be chosen again and again. */
export function FileButton({ label, accept, multiple = false, onFiles, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        aria-label={label}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Without it the browser reports no change when the same file is chosen next.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

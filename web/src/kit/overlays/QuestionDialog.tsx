import { Button } from '#kit/buttons/Button.tsx';
import { Dialog, type DialogProps } from './Dialog.tsx';

interface QuestionDialogProps extends Pick<DialogProps, 'title' | 'urgent' | 'children'> {
  readonly no: string;
  readonly yes: string;
  readonly yesKind?: 'primary' | 'danger';
  readonly busy?: boolean;
  readonly onAnswer: (yes: boolean) => void;
}

/** A question with two answers; Escape is a no. */
export function QuestionDialog({ no, yes, yesKind = 'primary', busy = false, onAnswer, ...dialog }: QuestionDialogProps) {
  return (
    <Dialog
      {...dialog}
      onClose={() => onAnswer(false)}
      foot={
        <>
          <Button onClick={() => onAnswer(false)}>{no}</Button>
          <Button kind={yesKind} busy={busy} onClick={() => onAnswer(true)}>
            {yes}
          </Button>
        </>
      }
    />
  );
}
